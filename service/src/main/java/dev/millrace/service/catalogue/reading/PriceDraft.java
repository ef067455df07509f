package dev.millrace.service.catalogue.reading;

import dev.millrace.engine.money.Price.Unit;
import dev.millrace.service.catalogue.EffectPrice;
import dev.millrace.service.catalogue.Properties;
import dev.millrace.service.catalogue.QuotedText;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.service.names.NearestName;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A price as its file has it.
 *
 * @param most how many units are held for; 0 if a property says so, or if it is wrong
 * @param property the property that says so; empty if none does
 * @param cap the most that a job may hold
 */
record PriceDraft(Unit per, long credits, long most, String property, long cap) {

  private static final List<String> UNITS = List.of("job", "output", "second");
  private static final long MOST_UNITS = Integer.MAX_VALUE;
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  static PriceDraft read(Section effect, long cap) {
    long credits = effect.whole("credits_cost", 0, cap);
    Section price = effect.section("price");
    Unit per = Unit.valueOf(price.word("per", UNITS, "job").toUpperCase(Locale.ROOT));
    JsonNode most = price.value("most");
    price.close();
    if (per == Unit.JOB) {
      if (most != null) {
        price.complain("most", "can't be given with per: job, which is one unit");
      }
      return new PriceDraft(per, credits, 1, "", cap);
    }
    return new PriceDraft(per, credits, units(price, most), property(most), cap);
  }

  private static long units(Section price, @Nullable JsonNode most) {
    if (most == null) {
      price.complain("most", "is missing; say how many are held for");
      return 0;
    }
    if (most.isString()) {
      return 0;
    }
    if (most.isIntegralNumber() && most.canConvertToLong()) {
      long units = most.asLong();
      if (units >= 1 && units <= MOST_UNITS) {
        return units;
      }
    }
    price.complain(
        "most",
        "must be a whole number from 1 to "
            + MOST_UNITS
            + " or the name of an integer property, not "
            + QuotedText.of(most));
    return 0;
  }

  private static String property(@Nullable JsonNode most) {
    return most != null && most.isString() ? most.asString() : "";
  }

  /** The price over a workflow's properties; both must have been found good. */
  EffectPrice build(Properties properties, ObjectNode fixed) {
    if (most > 0) {
      return new EffectPrice(per, credits, most, null);
    }
    long greatest = greatest(properties, fixed).orElseThrow();
    return new EffectPrice(per, credits, greatest, fixed.has(property) ? null : property);
  }

  /** Reports what is wrong between the price and the workflow. */
  void check(EffectDraft effect, WorkflowDraft of) {
    String at = SourceFile.within(SourceFile.within(effect.path(), "price"), "most");
    if (most > 0) {
      checkCap(effect, at, most);
    } else if (!property.isEmpty() && !of.broken().contains(property)) {
      checkProperty(effect, at, of);
    }
  }

  private void checkProperty(EffectDraft effect, String at, WorkflowDraft of) {
    Properties properties = of.workflow().properties();
    String names = "names \"" + property + "\", ";
    if (!properties.names().contains(property)) {
      String hint = NearestName.hint(property, properties.names());
      effect.file().report(at, names + "which is not a property of " + of.slug() + hint);
    } else if (!properties.isInteger(property)) {
      effect.file().report(at, names + "which is not an integer property");
    } else {
      OptionalLong greatest = greatest(properties, effect.preset().fixed());
      if (greatest.isEmpty()) {
        String advice = "which has no maximum; give it one, or a value under fixed";
        effect.file().report(at, names + advice);
      } else if (greatest.getAsLong() < 1) {
        effect.file().report(at, names + "which can't be 1 or more");
      } else {
        checkCap(effect, at, greatest.getAsLong());
      }
    }
  }

  /** Divides instead of multiplying, so that nothing can overflow. */
  private void checkCap(EffectDraft effect, String at, long greatest) {
    if (credits > 0 && greatest > cap / credits) {
      effect
          .file()
          .report(
              at,
              "allows "
                  + greatest
                  + ", which at "
                  + credits
                  + " credits each is more than the "
                  + cap
                  + " that a job may cost");
    }
  }

  /** The greatest value that the property can have in this effect; empty if there is no bound. */
  private OptionalLong greatest(Properties properties, ObjectNode fixed) {
    JsonNode bound =
        fixed.has(property)
            ? fixed.path(property)
            : properties.schemas().path(property).path("maximum");
    // A fraction or a huge number is no mistake in a schema; it is only rounded down here.
    return bound.isNumber()
        ? OptionalLong.of(bound.decimalValue().min(LARGEST).max(LARGEST.negate()).longValue())
        : OptionalLong.empty();
  }
}
