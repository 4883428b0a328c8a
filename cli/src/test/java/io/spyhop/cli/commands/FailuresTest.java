package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.schema.InvalidIndexException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class FailuresTest {
  private static final String NO_TABLE =
      "table 'x' does not exist; check the name and its namespace";

  private static void shouldReport(int code, String line, Exception failure) {
    StringWriter err = new StringWriter();
    CommandLine command = SpyhopCommand.commandLine().setErr(new PrintWriter(err));
    assertThat(Failures.report(failure, command, false)).isEqualTo(code);
    assertThat(err.toString().strip()).isEqualTo("spyhop: " + line);
  }

  @Test
  void badInputIsTwo() {
    shouldReport(2, "no condition", new InvalidQueryException("no condition"));
    shouldReport(2, "no index", new InvalidIndexException("no index"));
    shouldReport(2, NO_TABLE, new TableNotFoundException("x"));
    shouldReport(2, NO_TABLE, new TableNotFoundException(NO_TABLE));
    shouldReport(
        2,
        "namespace 'x' does not exist; create it, or use another one",
        new NamespaceNotFoundException("x"));
  }

  @Test
  void everythingElseIsOne() {
    shouldReport(1, "disk full", new IOException("disk full"));
    shouldReport(1, "IllegalStateException", new IllegalStateException());
  }

  @Test
  void wrappersAreOpened() {
    shouldReport(
        2, NO_TABLE, new UncheckedIOException("query failed", new TableNotFoundException("x")));
  }

  @Test
  void whatIsNoZooKeeperIsSaid() {
    shouldReport(
        1,
        "KeeperErrorCode = ConnectionLoss for /hbase/master. Does HBase run there? Say where its"
            + " ZooKeeper is with --zookeeper or --conf",
        new IOException(
            "java.io.IOException: org.apache.zookeeper.KeeperException$ConnectionLossException:"
                + " KeeperErrorCode = ConnectionLoss for /hbase/master"));
  }

  @Test
  void aServerWithoutSpyhopIsSaid() {
    shouldReport(
        1,
        "a server does not run Spyhop: put its jar into HBase's lib/ and the properties of"
            + " conf/hbase-site-spyhop.xml into hbase-site.xml there, and restart it; 'spyhop"
            + " doctor' says which",
        new DoNotRetryIOException(
            "org.apache.hadoop.hbase.exceptions.UnknownProtocolException: No registered coprocessor"
                + " executorService found for spyhop.SpyhopServer"));
  }

  @Test
  void aServersStackTraceIsLeftOut() {
    shouldReport(
        1,
        "no room",
        new DoNotRetryIOException(
            "org.apache.hadoop.hbase.DoNotRetryIOException: no room\n\tat a.B.c(B.java:1)"));
  }
}
