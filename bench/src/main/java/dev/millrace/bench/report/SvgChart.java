package dev.millrace.bench.report;

import dev.millrace.bench.measure.Measurement;
import dev.millrace.bench.measure.Sheet;
import java.util.List;
import java.util.Locale;

/**
 * The run as a picture: rates as bars, latencies as bars on a logarithmic scale, and the verdicts.
 * Its colours follow the reader's choice of light or dark.
 */
public final class SvgChart {

  private static final int WIDTH = 960;
  private static final int LEFT = 400;
  private static final int RIGHT = 110;
  private static final int ROW = 22;
  private static final int BAR = 14;

  private static final String STYLE =
      """
      <style>
        svg { background: #ffffff; color: #1d2733; font: 13px system-ui, sans-serif; }
        text { fill: currentColor; }
        .title { font-size: 18px; font-weight: 600; }
        .head { font-size: 15px; font-weight: 600; }
        .soft { fill: #5b6875; }
        .rate { fill: #2f6fb3; }
        .time { fill: #b3652f; }
        .met { fill: #23804a; }
        .missed { fill: #c0392b; }
        .none { fill: #8a95a0; }
        .line { stroke: #c9d1d9; }
        @media (prefers-color-scheme: dark) {
          svg { background: #12181f; color: #e4eaf0; }
          .soft { fill: #9aa7b4; }
          .rate { fill: #6ea8e6; }
          .time { fill: #e69a5c; }
          .met { fill: #5cc98a; }
          .missed { fill: #f07a6c; }
          .none { fill: #77828d; }
          .line { stroke: #33404d; }
        }
      </style>
      """;

  private final StringBuilder shapes = new StringBuilder();
  private int y = 40;

  private SvgChart() {}

  public static String draw(String subtitle, Sheet sheet, List<TargetVerdict> verdicts) {
    SvgChart chart = new SvgChart();
    chart.text(20, chart.y, "title", "start", "Millrace on this machine");
    chart.y += 22;
    chart.text(20, chart.y, "soft", "start", subtitle);
    chart.y += 14;
    chart.verdicts(verdicts);
    chart.bars("Jobs per second", "rate", of(sheet, "jobs/s"), false);
    chart.bars("Rows per second", "rate", of(sheet, "rows/s"), false);
    chart.bars("Milliseconds, logarithmic", "time", of(sheet, "ms"), true);
    return chart.document();
  }

  private static List<Measurement> of(Sheet sheet, String unit) {
    return sheet.figures().stream().filter(figure -> figure.unit().equals(unit)).toList();
  }

  private void bars(String heading, String look, List<Measurement> figures, boolean logarithmic) {
    if (figures.isEmpty()) {
      return;
    }
    heading(heading);
    double greatest = figures.stream().mapToDouble(Measurement::value).max().orElse(1);
    for (Measurement figure : figures) {
      double part = logarithmic ? logarithmic(figure.value(), greatest) : figure.value() / greatest;
      double length = Math.max(1, (WIDTH - LEFT - RIGHT) * Math.clamp(part, 0.0, 1.0));
      text(LEFT - 10, y + BAR - 3, "", "end", figure.label());
      shapes.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
              look,
              LEFT,
              y,
              length,
              BAR));
      text(LEFT + (int) length + 8, y + BAR - 3, "soft", "start", Numbers.plain(figure.value()));
      y += ROW;
    }
  }

  /** From a hundredth of a millisecond on. */
  private static double logarithmic(double value, double greatest) {
    double least = 0.01;
    return Math.log(Math.max(value, least) / least)
        / Math.log(Math.max(greatest, least * 10) / least);
  }

  private void verdicts(List<TargetVerdict> verdicts) {
    heading("Targets");
    for (TargetVerdict verdict : verdicts) {
      String look =
          switch (verdict.outcome()) {
            case MET -> "met";
            case MISSED -> "missed";
            case NOT_MEASURED -> "none";
          };
      text(20, y + BAR - 3, "", "start", "(" + verdict.letter() + ") " + verdict.law());
      String said =
          verdict.value() == null
              ? verdict.wanted()
              : verdict.measured() + ", wanted " + verdict.wanted();
      text(WIDTH - 140, y + BAR - 3, "soft", "end", said);
      text(WIDTH - 20, y + BAR - 3, look, "end", verdict.outcome().label());
      y += ROW;
    }
  }

  private void heading(String words) {
    y += 24;
    text(20, y, "head", "start", words);
    y += 8;
    shapes.append(
        "<line class=\"line\" x1=\"20\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n"
            .formatted(y, WIDTH - 20, y));
    y += 10;
  }

  private void text(int x, int baseline, String look, String anchor, String words) {
    shapes.append(
        "<text class=\"%s\" x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n"
            .formatted(look, x, baseline, anchor, escaped(words)));
  }

  private static String escaped(String words) {
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private String document() {
    return """
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img">
    %3$s%4$s</svg>
    """
        .formatted(WIDTH, y + 20, STYLE, shapes);
  }
}
