package io.spyhop.cli.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that name the user of a command to a secure cluster. */
final class KerberosOptions {
  @Option(
      names = "--principal",
      paramLabel = "NAME",
      description =
          "On a secure cluster: log in as this user, with --keytab (default: the ticket of kinit).")
  private Optional<String> principal;

  @Option(names = "--keytab", paramLabel = "FILE", description = "The keys of --principal.")
  private Optional<Path> keytab;

  /**
   * Logs in, if the configuration has {@code hadoop.security.authentication=kerberos}; does nothing
   * otherwise.
   *
   * @throws IOException if there are no credentials, or they are refused
   */
  void login(Configuration configuration, CommandSpec spec) throws IOException {
    check(spec);
    if (!isSecure(configuration)) {
      if (principal.isPresent()) {
        throw new ParameterException(
            spec.commandLine(),
            "--principal: this configuration has no hadoop.security.authentication=kerberos;"
                + " name the directory of the cluster's core-site.xml with --conf");
      }
      return;
    }
    try {
      UserGroupInformation.setConfiguration(configuration);
      if (principal.isPresent()) {
        UserGroupInformation.loginUserFromKeytab(principal.get(), keytab.orElseThrow().toString());
      } else if (!UserGroupInformation.getLoginUser().hasKerberosCredentials()) {
        throw new IOException(
            "the cluster asks for Kerberos, and there is no ticket; run kinit, or give --principal"
                + " and --keytab");
      }
    } catch (IllegalArgumentException e) { // Kerberos itself is not configured
      throw new IOException(
          "the cluster asks for Kerberos, which is not set up here (look at krb5.conf): "
              + rootMessage(e),
          e);
    }
  }

  private void check(CommandSpec spec) throws IOException {
    if (principal.isPresent() != keytab.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--principal and --keytab go together; give both or none");
    }
    if (keytab.isPresent() && !Files.isReadable(keytab.get())) {
      throw new IOException("--keytab: cannot read '" + keytab.get() + "'");
    }
  }

  private static boolean isSecure(Configuration configuration) {
    return AuthenticationMethod.KERBEROS
        .name()
        .equalsIgnoreCase(
            configuration
                .get(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "")
                .strip());
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }
}
