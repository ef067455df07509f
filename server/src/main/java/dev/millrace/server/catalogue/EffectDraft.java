package dev.millrace.server.catalogue;

import dev.millrace.server.catalogue.EffectPolicy.Review;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * An effect as its file has it, perhaps with mistakes that are already reported.
 *
 * @param path where it is in its file
 * @param workflow the slug of the workflow that it is meant for; empty if the file names none
 */
record EffectDraft(
    SourceFile file,
    String path,
    String workflow,
    Heading heading,
    EffectPolicy policy,
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
  private static final List<String> REVIEWS = List.of("none", "required");

  /** What people see of it. */
  record Heading(String slug, String title, String description, boolean active, long creditsCost) {}

  /** The values that it brings along: those that a user may change, and those that stay. */
  record Preset(ObjectNode overrides, ObjectNode fixed) {}

  String slug() {
    return heading.slug();
  }

  static EffectDraft read(Section section, String workflow, CatalogueRules rules) {
    Heading heading =
        new Heading(
            section.text("effect", MOST_SLUG_CHARACTERS, SLUG, SLUG_IN_WORDS),
            section.text("title", MOST_TITLE_CHARACTERS),
            section.optionalText("description", MOST_DESCRIPTION_CHARACTERS),
            section.flag("active", true),
            section.whole("credits_cost", 0, rules.maxCreditsCost()));
    Preset preset =
        new Preset(section.optionalMapping("overrides"), section.optionalMapping("fixed"));
    EffectPolicy policy = policy(section, rules.policy());
    section.close();
    return new EffectDraft(section.file(), section.path(), workflow, heading, policy, preset);
  }

  Effect build(Workflow of) {
    EffectInput input = new EffectInput(heading, of.properties(), preset);
    return new Effect(
        heading.slug(),
        heading.title(),
        heading.description(),
        of,
        heading.active() && of.active(),
        heading.creditsCost(),
        policy,
        input);
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
    return new EffectPolicy(
        (int) failures,
        (int) interruptions,
        Review.valueOf(review.toUpperCase(Locale.ROOT)),
        refund);
  }
}
