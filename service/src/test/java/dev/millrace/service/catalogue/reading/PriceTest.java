package dev.millrace.service.catalogue.reading;

import static dev.millrace.service.catalogue.reading.TestCatalogue.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.money.Price.Unit;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.EffectPrice;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an effect costs, and what is said when its price can't be right. */
class PriceTest {

  /** Line 6 is the length, line 11 the cost, line 12 the price. */
  private static final String GOOD =
      """
      workflow: clip
      title: Clip
      executor: worker
      properties:
        prompt: {type: string}
        length: {type: integer, minimum: 0, maximum: 240}
        takes: {type: integer}
      effects:
        - effect: clip/short
          title: Short clip
          credits_cost: 5
          price: {per: second, most: length}
      """;

  @Test
  void without_a_price_the_whole_job_is_one_unit() {
    Effect effect = effect("price: {per: second, most: length}", "");

    assertThat(effect.price()).isEqualTo(new EffectPrice(Unit.JOB, 5, 1, null));
    assertThat(effect.holdFor(json("{'length': 100}"))).isEqualTo(5);
    assertThat(effect("{per: second, most: length}", "{per: job}"))
        .extracting("price.per")
        .isEqualTo(Unit.JOB);
  }

  @Test
  void a_number_is_always_held_for() {
    Effect effect = effect("most: length", "most: 7");

    assertThat(effect.price()).isEqualTo(new EffectPrice(Unit.SECOND, 5, 7, null));
    assertThat(effect.holdFor(json("{'length': 100}"))).isEqualTo(35);
  }

  @ParameterizedTest
  @CsvSource({
    "{'length': 100},500",
    "{'length': 240},1200",
    "{},1200",
    "{'length': 0},5",
    "{'length': 1000},1200"
  })
  void a_property_says_how_many_are_held_for_between_one_and_its_maximum(String input, long hold) {
    assertThat(effect("", "").holdFor(json(input))).isEqualTo(hold);
  }

  @Test
  void a_fixed_value_needs_no_maximum_and_is_held_for() {
    Effect effect = effect("most: length}", "most: takes}\n    fixed: {takes: 3}");

    assertThat(effect.price()).isEqualTo(new EffectPrice(Unit.SECOND, 5, 3, null));
    assertThat(effect.holdFor(json("{'takes': 3}"))).isEqualTo(15);
  }

  @Test
  void what_costs_nothing_may_be_held_for_any_number() {
    Effect effect =
        TestCatalogue.effect(
            GOOD.replace("cost: 5", "cost: 0").replace("maximum: 240", "maximum: 1e30"),
            "clip/short");

    assertThat(effect.holdFor(json("{}"))).isZero();
  }

  @Test
  void a_window_against_repeats_can_be_said() {
    assertThat(effect("", "").dedupe()).isNull();
    assertThat(effect("cost: 5", "cost: 5\n    dedupe: {window_seconds: 60}").dedupe())
        .isEqualTo(Duration.ofSeconds(60));
  }

  @ParameterizedTest(name = "{3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          most: length | most: lenght | 12 | price.most names "lenght", which is not a property of clip; did you mean length?
          most: length | most: prompt | 12 | price.most names "prompt", which is not an integer property
          most: length | most: takes  | 12 | price.most names "takes", which has no maximum; give it one, or a value under fixed
          maximum: 240 | maximum: 0   | 12 | price.most names "length", which can't be 1 or more
          cost: 5      | cost: 4167   | 12 | price.most allows 240, which at 4167 credits each is more than the 1000000 that a job may cost
          maximum: 240 | maximum: 1e30| 12 | price.most allows 9223372036854775807, which at 5 credits each is more than the 1000000 that a job may cost
          most: length | most: 200001 | 12 | price.most allows 200001, which at 5 credits each is more than the 1000000 that a job may cost
          most: length | most: 0      | 12 | price.most must be a whole number from 1 to 2147483647 or the name of an integer property, not 0
          most: length | most: [1]    | 12 | price.most must be a whole number from 1 to 2147483647 or the name of an integer property, not a list
          , most: length | ''         | 12 | price.most is missing; say how many are held for
          per: second  | per: job     | 12 | price.most can't be given with per: job, which is one unit
          per: second, | ''           | 12 | price.most can't be given with per: job, which is one unit
          per: second  | per: minute  | 12 | price.per must be job or output or second, not "minute"
          most: length | mots: length | 12 | price.mots is not a known key; did you mean most?
          cost: 5      | dedupe: {window_seconds: 0}     | 11 | dedupe.window_seconds must be a whole number from 1 to 86400, not 0
          cost: 5      | dedupe: {window_seconds: 86401} | 11 | dedupe.window_seconds must be a whole number from 1 to 86400, not 86401
          cost: 5      | dedupe: {}   | 11 | dedupe.window_seconds is missing
          """)
  void a_price_or_a_window_that_cannot_be_right_is_told(
      String good, String bad, int line, String message) {
    String from = bad.startsWith("dedupe") ? "credits_" + good : good;

    assertThat(TestCatalogue.problems(changed(from, bad)))
        .contains("a.yaml:" + line + ": effects[0]." + message);
  }

  @Test
  void the_dearest_price_that_the_cap_allows_is_good() {
    assertThat(TestCatalogue.problems(changed("cost: 5", "cost: 4166"))).isEmpty();
    assertThat(TestCatalogue.problems(changed("most: length", "most: 200000"))).isEmpty();
  }

  private static Effect effect(String good, String bad) {
    return TestCatalogue.effect(changed(good, bad), "clip/short");
  }

  private static String changed(String good, String bad) {
    assertThat(GOOD).contains(good);
    return GOOD.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad));
  }
}
