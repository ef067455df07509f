package dev.millrace.web.console.studio;

import java.util.List;
import java.util.Locale;

/** Small charts as paths, drawn by the server. */
public final class Pictures {

  static final int WIDTH = 300;
  static final int HEIGHT = 60;

  /** What is not nothing can be seen. */
  private static final double LEAST = 3;

  private static final double GAP = 0.25;

  private Pictures() {}

  /** One bar for each value, from zero to the largest of them. */
  public static String bars(List<Long> values) {
    long most = Math.max(1, values.stream().mapToLong(Long::longValue).max().orElse(1));
    double step = (double) WIDTH / Math.max(1, values.size());
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) > 0) {
        double height = Math.max(LEAST, (HEIGHT - 2.0) * values.get(i) / most);
        path.append('M')
            .append(decimal(i * step))
            .append(' ')
            .append(HEIGHT)
            .append('v')
            .append(decimal(-height))
            .append('h')
            .append(decimal(step * (1 - GAP)))
            .append('v')
            .append(decimal(height))
            .append('z');
      }
    }
    return path.toString();
  }

  private static String decimal(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }
}
