package dev.millrace.sketch.painter;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The styles by the names that inputs use. */
public enum Style {
  POSTER,
  PAPERCUT,
  BOTANICAL,
  NIGHT,
  BAUHAUS,
  FLOW;

  public static Optional<Style> named(String name) {
    return Arrays.stream(values()).filter(style -> style.label().equals(name)).findFirst();
  }

  /** All names, for a sentence. */
  public static String all() {
    return Arrays.stream(values()).map(Style::label).collect(Collectors.joining(", "));
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public Painter painter() {
    return switch (this) {
      case POSTER -> new PosterPainter();
      case PAPERCUT -> new PapercutPainter();
      case BOTANICAL -> new BotanicalPainter();
      case NIGHT -> new NightPainter();
      case BAUHAUS -> new BauhausPainter();
      case FLOW -> new FlowPainter();
    };
  }
}
