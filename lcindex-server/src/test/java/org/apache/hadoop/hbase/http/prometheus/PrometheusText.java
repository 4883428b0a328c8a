package org.apache.hadoop.hbase.http.prometheus;

import java.io.IOException;
import java.io.StringWriter;

/** The text of {@code /prometheus} for this JVM, by the class that shows it. */
public final class PrometheusText {
  private PrometheusText() {}

  /** All of it. */
  public static String now() throws IOException {
    StringWriter text = new StringWriter();
    new PrometheusHadoopServlet().writeMetrics(text, false, null);
    return text.toString();
  }
}
