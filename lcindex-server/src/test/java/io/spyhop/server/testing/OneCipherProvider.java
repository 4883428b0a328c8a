package io.spyhop.server.testing;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.crypto.Cipher;
import org.apache.hadoop.hbase.io.crypto.CipherProvider;
import org.apache.hadoop.hbase.io.crypto.DefaultCipherProvider;

/**
 * HBase's own ciphers from its one provider. Without it HBase makes one for each file that it opens
 * or writes, and reads the files of its configuration for each. Thread-safe.
 */
public final class OneCipherProvider implements CipherProvider {
  private final CipherProvider ciphers = DefaultCipherProvider.getInstance();
  private Configuration conf;

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public String getName() {
    return ciphers.getName();
  }

  @Override
  public String[] getSupportedCiphers() {
    return ciphers.getSupportedCiphers();
  }

  @Override
  public Cipher getCipher(String name) {
    return ciphers.getCipher(name);
  }
}
