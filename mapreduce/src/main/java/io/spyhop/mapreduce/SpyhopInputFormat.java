package io.spyhop.mapreduce;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RegionDecision;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.ColumnName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of a table that satisfy a condition, for MapReduce, and for Spark by {@code
 * newAPIHadoopRDD}: keys and values are those of {@link TableInputFormat}. There is a split for
 * each region that the table's statistics do not rule out, or as many as HBase's settings of
 * mappers say; its rows are read through the region's indexes where that is cheaper than a scan.
 * The rows are those of a plain scan with the same filter.
 *
 * <pre>{@code
 * SpyhopInputFormat.configure(job.getConfiguration(), orders, "totalprice > 450000");
 * job.setInputFormatClass(SpyhopInputFormat.class);
 * TableMapReduceUtil.initCredentials(job);
 * }</pre>
 *
 * <p>Regions are ruled out when the job is submitted: every write that was acknowledged before is
 * read; of later ones, those in regions that were ruled out are not.
 */
public final class SpyhopInputFormat extends TableInputFormat {
  /** The condition, which {@link #configure} sets. */
  public static final String WHERE = "spyhop.input.where";

  private static final Logger LOG = LoggerFactory.getLogger(SpyhopInputFormat.class);
  private static final int CACHING = 1_000;

  /**
   * Says what a job reads; asks the table for the types of its columns. Other settings of a scan
   * than the range of rows are not looked at.
   *
   * @param job its configuration, which says where HBase is, and with {@link #SCAN_ROW_START} and
   *     {@link #SCAN_ROW_STOP} from which stored row (inclusive) to which (exclusive) is read
   * @param where the condition, as {@link Query#where} takes it
   * @param columns what is read besides the columns of the condition, which come along; none for
   *     whole rows
   * @throws io.spyhop.client.InvalidQueryException if the text is no condition
   * @throws org.apache.hadoop.hbase.TableNotFoundException if the table does not exist
   * @throws IllegalArgumentException as {@link IndexedTable#bind} says
   */
  public static void configure(
      Configuration job, TableName table, String where, ColumnName... columns) throws IOException {
    Query query = Query.where(where);
    try (Connection connection = ConnectionFactory.createConnection(job);
        Spyhop spyhop = Spyhop.connect(connection)) {
      PredicateFilter filter = spyhop.table(table).filter(query);
      job.set(INPUT_TABLE, table.getNameAsString());
      job.set(SCAN, TableMapReduceUtil.convertScanToString(scan(job, filter, columns)));
      job.set(WHERE, where);
    }
  }

  private static Scan scan(Configuration job, PredicateFilter filter, ColumnName... columns) {
    Scan scan =
        new Scan()
            .withStartRow(Bytes.toBytesBinary(job.get(SCAN_ROW_START, "")))
            .withStopRow(Bytes.toBytesBinary(job.get(SCAN_ROW_STOP, "")))
            .setFilter(filter)
            .setCaching(CACHING)
            .setCacheBlocks(false);
    if (columns.length > 0) {
      for (ColumnName column : columns) {
        scan.addColumn(column.family(), column.qualifier());
      }
      for (BoundColumn column : filter.predicate().columns()) {
        scan.addColumn(column.name().family(), column.name().qualifier());
      }
    }
    return scan;
  }

  /** A split for each region that could match, in a list that callers may sort and change. */
  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    List<RegionDecision> decisions = decisions(context.getConfiguration());
    List<TableSplit> all =
        Partition.complete(
            super.getSplits(context).stream().map(TableSplit.class::cast).toList(),
            getScan().getStartRow(),
            getScan().getStopRow());
    List<InputSplit> kept =
        all.stream()
            .filter(split -> mayMatch(split, decisions))
            .collect(Collectors.toCollection(ArrayList::new));
    LOG.info("{} of {} splits are read, the others cannot match", kept.size(), all.size());
    return kept;
  }

  /** HBase's own loses rows where keys begin with 0xFF, and fails where few keys are between. */
  @Override
  protected List<InputSplit> createNInputSplitsUniform(InputSplit split, int n) {
    return new ArrayList<>(Partition.divide((TableSplit) split, Math.max(1, n)));
  }

  @Override
  public RecordReader<ImmutableBytesWritable, Result> createRecordReader(
      InputSplit split, TaskAttemptContext context) throws IOException {
    setTableRecordReader(new RowReader());
    return super.createRecordReader(split, context);
  }

  private static List<RegionDecision> decisions(Configuration job) throws IOException {
    String where = job.get(WHERE);
    if (where == null) {
      throw new IOException(WHERE + " is not set: call SpyhopInputFormat.configure for the job");
    }
    // A global index would answer row by row: here it is asked which regions could match.
    Query query = Query.where(where).hint(Attributes.PATH_SCAN);
    try (Connection connection = ConnectionFactory.createConnection(job);
        Spyhop spyhop = Spyhop.connect(connection)) {
      return spyhop.table(TableName.valueOf(job.get(INPUT_TABLE))).explain(query).decisions();
    }
  }

  private static boolean mayMatch(TableSplit split, List<RegionDecision> decisions) {
    return mayMatch(split.getStartRow(), split.getEndRow(), decisions);
  }

  /**
   * Whether rows of a range may match: unless all of it is ruled out.
   *
   * @param end exclusive; empty is the table's
   * @param decisions in the order of their keys
   */
  static boolean mayMatch(byte[] start, byte[] end, List<RegionDecision> decisions) {
    byte[] ruledOutTo = start;
    for (RegionDecision d : decisions) {
      if (!d.isPruned() || Bytes.compareTo(d.startKey(), ruledOutTo) > 0) {
        continue;
      }
      if (d.endKey().length == 0) {
        return false;
      }
      if (Bytes.compareTo(d.endKey(), ruledOutTo) > 0) {
        ruledOutTo = d.endKey();
      }
      if (end.length > 0 && Bytes.compareTo(ruledOutTo, end) >= 0) {
        return false;
      }
    }
    return true;
  }
}
