package dev.millrace.web.dialect.generate;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What can be generated, and which effects make it, the first one on offer before the others. */
enum GenerateType {
  COPY("copy", "copy"),
  SCRAPE("scrape", "scrape"),
  STATIC_AD("static-ad", "static-ad"),
  VIDEO("video", "ugc-video"),
  TTS("tts", "tts");

  private final String label;
  private final String usualEffect;

  GenerateType(String label, String usualEffect) {
    this.label = label;
    this.usualEffect = usualEffect;
  }

  String label() {
    return label;
  }

  List<String> effects() {
    return List.of("generate/" + label, usualEffect);
  }

  static Optional<GenerateType> ofLabel(String label) {
    return of(type -> type.label.equals(label));
  }

  /** The type of a job, which another surface may have asked for. */
  static String labelOfEffect(String slug) {
    return of(type -> type.effects().contains(slug)).map(GenerateType::label).orElse(slug);
  }

  private static Optional<GenerateType> of(Predicate<GenerateType> fits) {
    return Stream.of(values()).filter(fits).findFirst();
  }
}
