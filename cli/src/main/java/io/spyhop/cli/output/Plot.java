package io.spyhop.cli.output;

import io.spyhop.bench.Row;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Bars of one or more series beside each other, from 0 on. All plots look alike. */
final class Plot {
  private static final int WIDTH = 620;
  private static final int HEIGHT = 360;

  static {
    // Plots are drawn where there is no screen, too.
    System.setProperty("java.awt.headless", "true");
  }

  private final CategoryChart chart;

  /** An empty one. */
  Plot(String title, String unit) {
    chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle(unit)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0);
  }

  /** Says what the points are. */
  Plot points(String title) {
    chart.setXAxisTitle(title);
    return this;
  }

  /** Turns the points' names, so that long ones can be read. */
  Plot turned(int degrees) {
    chart.getStyler().setXAxisLabelRotation(degrees);
    return this;
  }

  /** Adds a series of a bar for each row; a chart cannot have one without points. */
  Plot series(
      String name, List<Row> rows, Function<Row, String> point, ToDoubleFunction<Row> value) {
    if (!rows.isEmpty()) {
      chart.addSeries(
          name, rows.stream().map(point).toList(), rows.stream().map(r -> bar(value, r)).toList());
    }
    return this;
  }

  /** Adds a series for each text at one path, of a bar for each text at another. */
  Plot series(List<Row> rows, String series, String point, ToDoubleFunction<Row> value) {
    List<String> points = rows.stream().map(r -> r.text(point)).distinct().toList();
    for (String name : rows.stream().map(r -> r.text(series)).distinct().toList()) {
      List<Double> bars = new ArrayList<>();
      for (String at : points) {
        bars.add(
            rows.stream()
                .filter(r -> r.text(series).equals(name) && r.text(point).equals(at))
                .findFirst()
                .map(r -> bar(value, r))
                .orElse(null));
      }
      chart.addSeries(name, points, bars);
    }
    return this;
  }

  /** Null, which is no bar, if it was not measured. */
  private static Double bar(ToDoubleFunction<Row> value, Row row) {
    double number = value.applyAsDouble(row);
    return Double.isNaN(number) ? null : number;
  }

  /** The element alone, as it stands in a page. */
  String svg() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    VectorGraphicsEncoder.saveVectorGraphic(chart, out, VectorGraphicsFormat.SVG);
    String document = out.toString(StandardCharsets.UTF_8);
    return document.substring(document.indexOf("<svg"));
  }
}
