package io.spyhop.cli.output;

import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Plots that look alike, each a piece of SVG. Stateless. */
final class Plots {
  private static final int WIDTH = 620;
  private static final int HEIGHT = 360;

  private Plots() {}

  /** An empty chart whose values begin at 0. */
  static CategoryChart chart(String title, String unit) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle(unit)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0);
    return chart;
  }

  /** The element alone, as it stands in a page. */
  static String svg(Chart<?, ?> chart) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    VectorGraphicsEncoder.saveVectorGraphic(chart, out, VectorGraphicsFormat.SVG);
    String document = out.toString(StandardCharsets.UTF_8);
    return document.substring(document.indexOf("<svg"));
  }
}
