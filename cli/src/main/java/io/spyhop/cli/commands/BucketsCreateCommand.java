package io.spyhop.cli.commands;

import io.spyhop.cli.output.Texts;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketHash;
import io.spyhop.core.bucket.BucketOptions;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code spyhop buckets create}. */
@Command(
    name = "create",
    description = {
      "Creates a table with buckets: rows lie by a hash of their keys, and a region that grows"
          + " becomes two of one bit more.",
      "",
      "Its rows are read and written through Spyhop's client, which hides the hash; see"
          + " docs/buckets.md.",
      ""
    })
final class BucketsCreateCommand extends ClientCommand {
  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      converter = TableNameConverter.class,
      description = "The table, which must not be there.")
  private TableName table;

  @Option(
      names = "--family",
      required = true,
      split = ",",
      paramLabel = "FAMILY",
      description =
          "Its column families, separated by commas. They get the data block encoding"
              + " ROW_INDEX_V1.")
  private List<String> families;

  @Option(
      names = "--buckets",
      paramLabel = "N",
      description = "How many buckets it has at first, a power of two (default: ${DEFAULT-VALUE}).")
  private int buckets = BucketOptions.DEFAULT_INITIAL;

  @Option(
      names = "--max-size",
      paramLabel = "BYTES",
      description =
          "The size of a bucket's HFiles beyond which it is split (default: ${DEFAULT-VALUE}).")
  private long maxSize = BucketOptions.DEFAULT_MAX_SIZE;

  @Option(
      names = "--bits",
      paramLabel = "N",
      description =
          "How many bits of the hash lead a row, from 1 to 12: buckets can be 2^N, and a scan in"
              + " the order of keys merges 2^N runs (default: such that each bucket can become 16,"
              + " but at most 8 unless there are more than 256).")
  private Integer bits;

  @Option(
      names = "--hash",
      paramLabel = "NAME",
      description = "The hash function with its version (default: ${DEFAULT-VALUE}).")
  private String hash = BucketHash.MURMUR3_32.toString();

  private BucketOptions options;
  private TableDescriptor made;

  @Override
  void check() {
    int prefix = bits == null ? BucketOptions.usual(buckets).bits() : bits;
    options = new BucketOptions(BucketHash.parse(hash), prefix, buckets, maxSize);
    made = descriptor();
  }

  @Override
  int run(Spyhop spyhop) throws IOException {
    spyhop.buckets().create(made, options);
    out().printf("Created table '%s' with %s buckets.%n", table, Texts.count(buckets));
    return ExitCode.OK;
  }

  private TableDescriptor descriptor() {
    TableDescriptorBuilder made = TableDescriptorBuilder.newBuilder(table);
    Set<String> seen = new HashSet<>();
    for (String family : families) {
      if (family.isEmpty()) {
        throw new ParameterException(spec().commandLine(), "--family: a name is empty");
      }
      if (!seen.add(family)) {
        throw new ParameterException(
            spec().commandLine(), "--family: '" + family + "' is there twice");
      }
      made.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
              .setDataBlockEncoding(DataBlockEncoding.ROW_INDEX_V1)
              .build());
    }
    return made.build();
  }
}
