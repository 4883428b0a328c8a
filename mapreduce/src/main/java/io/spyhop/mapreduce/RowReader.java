package io.spyhop.mapreduce;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableRecordReader;
import org.apache.hadoop.hbase.mapreduce.TableRecordReaderImpl;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Reads the rows of a split, each once. A scan that HBase's client gives up fails, and with it the
 * task, which the framework runs again from its start.
 *
 * <p>HBase's own reader opens the scan again at the last row, and takes the first that comes for
 * that row. Where the last row does not satisfy the condition any more, that is the next one, and
 * it is lost.
 */
final class RowReader extends TableRecordReader {
  private final Rows rows = new Rows();

  @Override
  public void setTable(Table table) {
    rows.setHTable(table);
  }

  @Override
  public void setScan(Scan scan) {
    rows.setScan(scan);
  }

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context)
      throws IOException, InterruptedException {
    rows.initialize(split, context);
  }

  @Override
  public boolean nextKeyValue() throws IOException, InterruptedException {
    return rows.nextKeyValue();
  }

  @Override
  public ImmutableBytesWritable getCurrentKey() throws IOException, InterruptedException {
    return rows.getCurrentKey();
  }

  @Override
  public Result getCurrentValue() throws IOException, InterruptedException {
    return rows.getCurrentValue();
  }

  @Override
  public float getProgress() {
    return rows.getProgress();
  }

  @Override
  public void close() {
    rows.close();
  }

  /** HBase's reader, which also counts for the job, but for its second scan. */
  private static final class Rows extends TableRecordReaderImpl {
    private boolean reading;

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
      reading = true;
      return super.nextKeyValue();
    }

    @Override
    public void restart(byte[] firstRow) throws IOException {
      if (reading) {
        throw new IOException(
            "the scan of this split failed, for the reason that is logged before this; the task"
                + " has to begin anew");
      }
      super.restart(firstRow);
    }
  }
}
