package io.spyhop.server.damage;

import io.spyhop.server.index.global.repair.RepairListTarget;
import io.spyhop.server.index.local.IndexPair;
import io.spyhop.server.index.stats.SideFileTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.crypto.KeyProviderForTesting;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Damages files of every kind and reads them with the server's own classes, in a JVM that has so
 * little memory that it dies of a damaged length: {@code DamageRun SEED COUNT}. Ends with status 0
 * if nothing wrong was read.
 */
public final class DamageRun {
  private final List<DamageTarget> targets = new ArrayList<>();
  private final Random random;
  private int noticed;
  private int harmless;

  private DamageRun(Path dir, long seed) throws IOException {
    random = new Random(seed);
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, KeyProviderForTesting.class.getName());
    conf.set(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, "hbase");
    var family = ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f")).setBlocksize(1024);
    pair("plain", dir, conf, family);
    pair("fast", dir, conf, family.setDataBlockEncoding(DataBlockEncoding.FAST_DIFF));
    pair("indexed", dir, conf, family.setDataBlockEncoding(DataBlockEncoding.ROW_INDEX_V1));
    pair("zipped", dir, conf, family.setCompressionType(Algorithm.GZ));
    pair("secret", dir, conf, family.setEncryptionType("AES"));
    targets.add(new SideFileTarget(conf, null));
    targets.add(new SideFileTarget(conf, family.build()));
    targets.add(new RepairListTarget(dir.resolve("repair"), conf));
  }

  private void pair(String name, Path dir, Configuration conf, ColumnFamilyDescriptorBuilder family)
      throws IOException {
    IndexPair pair = new IndexPair(name, dir.resolve(name), conf, family.build());
    targets.addAll(pair.targets());
  }

  private void run(int count) throws IOException {
    for (int i = 0; noticed + harmless < count; i++) {
      DamageTarget t = targets.get(i % targets.size());
      byte[] damaged = Damage.random(t.whole(), random);
      if (!Arrays.equals(damaged, t.whole())) {
        hit(t, damaged, "damage " + i);
      }
    }
  }

  /** A wrong bit in every byte that has room in the count; all bytes take a long time. */
  private void everywhere(int count) throws IOException {
    long all = targets.stream().mapToLong(t -> t.whole().length).sum();
    int step = (int) Math.max(1, all / count);
    for (DamageTarget t : targets) {
      for (int at = random.nextInt(step); at < t.whole().length; at += step) {
        hit(t, Damage.bit(t.whole(), at, random.nextInt(8)), "bit at " + at);
      }
    }
  }

  private void hit(DamageTarget t, byte[] damaged, String what) throws IOException {
    try {
      if (t.isNoticed(damaged)) {
        noticed++;
      } else {
        harmless++;
      }
    } catch (IOException | RuntimeException | Error e) {
      throw new IllegalStateException(t.name() + ", " + what, e);
    }
  }

  private void requireWhole() throws IOException {
    for (DamageTarget t : targets) {
      if (t.isNoticed(t.whole())) {
        throw new IllegalStateException(t.name() + " is whole and cannot be read");
      }
    }
  }

  /** Seed, and how many damages of each sort: random ones, and bits one after the other. */
  public static void main(String[] args) throws IOException {
    Path dir = Files.createTempDirectory("spyhop-damage");
    try {
      DamageRun run = new DamageRun(dir, Long.parseLong(args[0]));
      int count = Integer.parseInt(args[1]);
      run.requireWhole();
      run.everywhere(count / 5);
      run.run(count);
      run.requireWhole();
      System.out.println(
          "damages noticed: " + run.noticed + ", read right all the same: " + run.harmless);
    } finally {
      delete(dir);
    }
  }

  private static void delete(Path dir) throws IOException {
    try (Stream<Path> all = Files.walk(dir)) {
      all.sorted(Comparator.reverseOrder())
          .forEach(
              p -> {
                try {
                  Files.delete(p);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
