package dev.millrace.bench.report;

import dev.millrace.bench.measure.Measurement;
import dev.millrace.bench.measure.Sheet;
import java.util.ArrayList;
import java.util.List;

/** The figures and the verdicts as tables for a terminal. */
public final class TextReport {

  private TextReport() {}

  public static String figures(Sheet sheet) {
    List<List<String>> rows = new ArrayList<>();
    for (Measurement figure : sheet.figures()) {
      rows.add(List.of(figure.label(), Numbers.plain(figure.value()), figure.unit(), figure.key()));
    }
    StringBuilder text = new StringBuilder(table(List.of("what", ">value", "unit", "key"), rows));
    sheet.notes().forEach(note -> text.append("  Note: ").append(note).append('\n'));
    return text.toString();
  }

  public static String verdicts(List<TargetVerdict> verdicts) {
    List<List<String>> rows = new ArrayList<>();
    for (TargetVerdict verdict : verdicts) {
      rows.add(
          List.of(
              verdict.letter(),
              verdict.law(),
              verdict.wanted(),
              verdict.measured(),
              verdict.outcome().label()));
    }
    return table(List.of("", "target", ">wanted", ">measured", "verdict"), rows);
  }

  /** A heading that begins with {@code >} has its column on the right. */
  private static String table(List<String> headings, List<List<String>> rows) {
    int columns = headings.size();
    int[] widths = new int[columns];
    for (int c = 0; c < columns; c++) {
      widths[c] = headings.get(c).replace(">", "").length();
      for (List<String> row : rows) {
        widths[c] = Math.max(widths[c], row.get(c).length());
      }
    }
    StringBuilder text = new StringBuilder();
    line(text, headings.stream().map(h -> h.replace(">", "")).toList(), headings, widths);
    rows.forEach(row -> line(text, row, headings, widths));
    return text.toString();
  }

  private static void line(
      StringBuilder text, List<String> cells, List<String> headings, int[] widths) {
    StringBuilder line = new StringBuilder(" ");
    for (int c = 0; c < cells.size(); c++) {
      String gap = " ".repeat(widths[c] - cells.get(c).length());
      boolean right = headings.get(c).startsWith(">");
      line.append(' ').append(right ? gap + cells.get(c) : cells.get(c) + gap).append(' ');
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }
}
