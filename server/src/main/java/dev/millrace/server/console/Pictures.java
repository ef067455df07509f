package dev.millrace.server.console;

import java.util.List;
import java.util.Locale;

/** Small charts as paths, drawn by the server. */
final class Pictures {

  static final int WIDTH = 300;
  static final int HEIGHT = 60;

  private Pictures() {}

  /** A line through the values from left to right, from zero to the largest of them. */
  static String line(List<Long> values) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      path.append(i == 0 ? 'M' : 'L').append(x(values, i)).append(' ').append(y(values, i));
    }
    return path.toString();
  }

  /** The area below the line. */
  static String area(List<Long> values) {
    return values.isEmpty() ? "" : line(values) + "V" + HEIGHT + "H0Z";
  }

  private static String x(List<Long> values, int at) {
    return decimal(values.size() < 2 ? 0 : (double) at * WIDTH / (values.size() - 1));
  }

  private static String y(List<Long> values, int at) {
    long most = Math.max(1, values.stream().mapToLong(Long::longValue).max().orElse(1));
    return decimal(HEIGHT - 2 - (HEIGHT - 6.0) * values.get(at) / most);
  }

  private static String decimal(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }
}
