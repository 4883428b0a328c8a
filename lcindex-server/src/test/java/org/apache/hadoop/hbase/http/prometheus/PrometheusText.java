package org.apache.hadoop.hbase.http.prometheus;

import java.util.Collection;
import java.util.Locale;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.impl.HBaseMetrics2HadoopMetricsAdapter;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.impl.MetricsExportHelper;

/**
 * Spyhop's lines of {@code /prometheus} for this JVM, with the names that it has there. A JVM in
 * which many clusters were has a hundred times as many others.
 */
public final class PrometheusText {
  private PrometheusText() {}

  /** Those lines, without labels. */
  public static String now() {
    return text(MetricsExportHelper.export());
  }

  /** The same of some registries alone, which is far less work. */
  public static String of(Collection<MetricRegistry> registries) {
    HBaseMetrics2HadoopMetricsAdapter adapter = new HBaseMetrics2HadoopMetricsAdapter();
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    registries.forEach(r -> adapter.snapshotAllMetrics(r, collector));
    return text(collector.getRecords());
  }

  private static String text(Collection<? extends MetricsRecord> records) {
    StringBuilder text = new StringBuilder();
    for (MetricsRecord record : records) {
      for (AbstractMetric metric : record.metrics()) {
        if ((record.name() + metric.name()).toLowerCase(Locale.ROOT).contains("spyhop")) {
          text.append(PrometheusHadoopServlet.toPrometheusName(record.name(), metric.name()))
              .append("{} ")
              .append(metric.value())
              .append('\n');
        }
      }
    }
    return text.toString();
  }
}
