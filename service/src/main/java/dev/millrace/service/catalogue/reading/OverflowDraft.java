package dev.millrace.service.catalogue.reading;

import dev.millrace.engine.money.Price.Unit;
import dev.millrace.service.catalogue.EffectPrice;
import dev.millrace.service.catalogue.Overflow;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.service.catalogue.WorkflowLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A way out of a slow queue, as its file has it.
 *
 * @param path where it is in its file
 * @param cost what one unit costs the operator there, in credits; 0 if it is not told
 * @param maxCost the most that one job may cost there; negative if only the job's own price bounds
 *     it
 */
record OverflowDraft(String path, String workflow, long afterSeconds, long cost, long maxCost) {

  private static final int MOST_WAYS = 8;

  static List<OverflowDraft> read(Section effect, long cap) {
    List<OverflowDraft> ways = new ArrayList<>();
    List<Section> sections = effect.sections("overflow");
    if (sections.size() > MOST_WAYS) {
      effect.complain("overflow", "must have at most " + MOST_WAYS + " workflows");
    }
    for (Section section : sections) {
      String workflow =
          section.text(
              "workflow",
              WorkflowDraft.MOST_SLUG_CHARACTERS,
              WorkflowDraft.SLUG,
              WorkflowDraft.SLUG_IN_WORDS);
      long after = section.whole("after_seconds", 0, WorkflowLimits.MAX_QUEUE_SECONDS);
      long cost = section.whole("cost", 0, cap, 0);
      long maxCost = section.has("max_cost") ? section.whole("max_cost", 0, cap) : -1;
      section.close();
      ways.add(new OverflowDraft(section.path(), workflow, after, cost, maxCost));
    }
    return ways;
  }

  /** Reports a cost that would let no job go, or can't be told. */
  void check(EffectDraft effect) {
    PriceDraft price = effect.price();
    long bound = maxCost < 0 ? price.credits() : maxCost;
    if (maxCost >= 0 && cost == 0) {
      report(effect, "max_cost", "needs a cost, which says what one unit costs there");
    } else if (cost > 0 && price.credits() == 0 && price.per() != Unit.JOB) {
      report(effect, "cost", "can't be told for a free effect by units; price it by the job");
    } else if (cost > bound) {
      report(
          effect,
          "cost",
          "is more than "
              + (maxCost < 0 ? "the price, " : "max_cost, ")
              + bound
              + ", so no job could go there; "
              + (maxCost < 0 ? "add a max_cost" : "raise it")
              + " to allow it");
    }
  }

  void report(EffectDraft effect, String key, String complaint) {
    effect.file().report(SourceFile.within(path, key), complaint);
  }

  Overflow build(EffectPrice price) {
    return new Overflow(workflow, Duration.ofSeconds(afterSeconds), mostHeld(price));
  }

  /** A hold is the price of one unit, times the units: so the hold tells how many they are. */
  private long mostHeld(EffectPrice price) {
    if (cost == 0 || maxCost < 0 || price.per() == Unit.JOB || price.credits() == 0) {
      return Long.MAX_VALUE;
    }
    long units = maxCost / cost;
    return units > Long.MAX_VALUE / price.credits() ? Long.MAX_VALUE : units * price.credits();
  }
}
