package io.spyhop.server.fuzz;

import java.security.Key;
import java.util.Arrays;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.hbase.io.crypto.KeyProvider;

/** One key for all; HBase's provider for tests derives it anew each time. */
public final class FixedKeys implements KeyProvider {
  private static final Key KEY = new SecretKeySpec(new byte[16], "AES");

  @Override
  public void init(String parameters) {}

  @Override
  public Key getKey(String alias) {
    return KEY;
  }

  @Override
  public Key[] getKeys(String[] aliases) {
    Key[] keys = new Key[aliases.length];
    Arrays.fill(keys, KEY);
    return keys;
  }
}
