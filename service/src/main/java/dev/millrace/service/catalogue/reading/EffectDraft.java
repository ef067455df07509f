package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.EffectInput;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.catalogue.EffectPolicy.Review;
import dev.millrace.service.catalogue.EffectPrice;
import dev.millrace.service.catalogue.Preset;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.service.catalogue.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An effect as its file has it, perhaps with mistakes that are already reported.
 *
 * @param path where it is in its file
 * @param workflow the slug of the workflow that it is meant for; empty if the file names none
 */
public record EffectDraft(
    SourceFile file,
    String path,
    String workflow,
    Effect.Heading heading,
    PriceDraft price,
    Conduct conduct,
    Preset preset) {

  private static final Pattern SLUG =
      Pattern.compile(WorkflowDraft.SLUG + "(/" + WorkflowDraft.SLUG + ")*");
  private static final String SLUG_IN_WORDS =
      WorkflowDraft.SLUG_IN_WORDS + ", with / between segments";
  private static final int MOST_SLUG_CHARACTERS = 128;
  private static final int MOST_TITLE_CHARACTERS = 120;
  private static final int MOST_DESCRIPTION_CHARACTERS = 2000;
  private static final int MOST_FAILURES = 100;
  private static final int MOST_INTERRUPTIONS = 1000;
  private static final int MOST_CONCURRENCY = 1_000_000;
  private static final int MOST_WINDOW_SECONDS = 86_400;
  private static final List<String> REVIEWS = List.of("none", "required");

  /** What it does besides its work: whether it is on offer, and what comes of its jobs. */
  record Conduct(
      boolean active,
      EffectPolicy policy,
      @Nullable String followUp,
      @Nullable Duration dedupe,
      @Nullable Integer concurrency,
      List<OverflowDraft> overflow) {}

  String slug() {
    return heading.slug();
  }

  boolean active() {
    return conduct.active();
  }

  EffectPolicy policy() {
    return conduct.policy();
  }

  @Nullable String followUp() {
    return conduct.followUp();
  }

  static EffectDraft read(Section section, String workflow, CatalogueRules rules) {
    Effect.Heading heading =
        new Effect.Heading(
            section.text("effect", MOST_SLUG_CHARACTERS, SLUG, SLUG_IN_WORDS),
            section.text("title", MOST_TITLE_CHARACTERS),
            section.optionalText("description", MOST_DESCRIPTION_CHARACTERS));
    boolean active = section.flag("active", true);
    PriceDraft price = PriceDraft.read(section, rules.maxCreditsCost());
    Preset preset =
        new Preset(
            section.optionalMapping("overrides"),
            section.optionalMapping("fixed"),
            RecipeReader.assets(section));
    EffectPolicy policy = policy(section, rules.policy());
    Conduct conduct =
        new Conduct(
            active,
            policy,
            followUp(section),
            dedupe(section),
            concurrency(section),
            OverflowDraft.read(section, rules.maxCreditsCost()));
    section.close();
    return new EffectDraft(
        section.file(), section.path(), workflow, heading, price, conduct, preset);
  }

  Effect build(Workflow of) {
    EffectPrice built = price.build(of.properties(), preset.fixed());
    return new Effect(
        heading,
        of,
        active() && of.active(),
        built,
        policy(),
        followUp(),
        conduct.dedupe(),
        conduct.concurrency(),
        new EffectInput(heading, of.properties(), preset),
        preset.assets(),
        conduct.overflow().stream().map(way -> way.build(built)).toList());
  }

  private static EffectPolicy policy(Section section, EffectPolicy otherwise) {
    Section retry = section.section("retry");
    long failures = retry.whole("max_failures", 1, MOST_FAILURES, otherwise.maxFailures());
    long interruptions =
        retry.whole("max_interruptions", 1, MOST_INTERRUPTIONS, otherwise.maxInterruptions());
    retry.close();
    String review =
        section.word("review", REVIEWS, otherwise.review().name().toLowerCase(Locale.ROOT));
    Section safety = section.section("safety");
    boolean refund = safety.flag("refund", otherwise.refundWhenUnsafe());
    safety.close();
    Section decline = section.section("decline");
    boolean consume = decline.flag("consume", otherwise.consumeWhenDeclined());
    decline.close();
    return new EffectPolicy(
        (int) failures,
        (int) interruptions,
        Review.valueOf(review.toUpperCase(Locale.ROOT)),
        refund,
        consume);
  }

  private static @Nullable String followUp(Section section) {
    String slug = section.optionalText("follow_up", MOST_SLUG_CHARACTERS, SLUG, SLUG_IN_WORDS);
    return slug.isEmpty() ? null : slug;
  }

  private static @Nullable Integer concurrency(Section section) {
    return section.has("concurrency")
        ? (int) section.whole("concurrency", 1, MOST_CONCURRENCY)
        : null;
  }

  private static @Nullable Duration dedupe(Section section) {
    if (!section.has("dedupe")) {
      return null;
    }
    Section dedupe = section.section("dedupe");
    long seconds = dedupe.whole("window_seconds", 1, MOST_WINDOW_SECONDS);
    dedupe.close();
    return Duration.ofSeconds(seconds);
  }
}
