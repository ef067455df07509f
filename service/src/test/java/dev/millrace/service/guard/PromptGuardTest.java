package dev.millrace.service.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

class PromptGuardTest {

  private static final String SOME =
      "words: [{category: violence, any: [kill, bad word]}, {category: drugs, any: [cocaine]}]\n";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\": 1, \"prompt\": \"kill\"}",
        "{\"list\": [\"x\", \"kill\"]}",
        "{\"deep\": {\"er\": [{\"est\": [\"kill\"]}]}}",
        "{\"style\": {\"kill\": true}}",
        "{\"first\": \"so bad\", \"second\": \"word here\"}",
        "{\"list\": [\"bad\", \"word\"]}",
        "{\"list\": [\"k\", \"i\", \"l\", \"l\"]}",
      })
  void every_text_is_looked_at_alone_and_beside_the_next(String json) throws IOException {
    assertThat(category(guard(SOME).check(Rules.json(json)))).isEqualTo("violence");
  }

  @Test
  void the_names_of_properties_are_the_catalogues_own() throws IOException {
    assertThat(guard(SOME).check(Rules.json("{\"kill\": 3}"))).isEqualTo(Verdict.PASS);
  }

  @Test
  void the_first_rule_of_the_file_names_the_category() throws IOException {
    Verdict verdict = guard(SOME).check(Rules.prompt("cocaine can kill"));

    assertThat(category(verdict)).isEqualTo("violence");
  }

  @Test
  void a_denial_never_repeats_the_input() throws IOException {
    GateRequest request = Rules.prompt("canary would kill");

    assertThat(guard(SOME).check(request).toString()).doesNotContain("canary", "would");
    assertThat(request.toString()).doesNotContain("canary");
  }

  @Test
  void the_limit_on_length_counts_the_characters_of_all_texts() throws IOException {
    PromptGuard guard = guard("max_length: 6\nignore_properties: [notes]\n");

    assertThat(guard.check(Rules.json("{\"a\": \"123\", \"b\": [\"456\"]}")))
        .isEqualTo(Verdict.PASS);
    assertThat(guard.check(Rules.prompt("\uD83E\uDD8A".repeat(6)))).isEqualTo(Verdict.PASS);
    assertThat(category(guard.check(Rules.json("{\"a\": \"123\", \"b\": [\"4567\"]}"))))
        .isEqualTo("too_long");
    assertThat(category(guard.check(Rules.json("{\"notes\": \"1234567\"}")))).isEqualTo("too_long");
  }

  @Test
  void without_a_file_only_the_length_is_judged() {
    GuardRules rules = new GuardRules(null);
    assertThat(rules.reload()).isInstanceOf(GuardReload.Reloaded.class);
    assertThat(rules.changed()).isFalse();
    PromptGuard guard = new PromptGuard(rules);

    assertThat(guard.check(Rules.prompt("kill ".repeat(4_000)))).isEqualTo(Verdict.PASS);
    assertThat(category(guard.check(Rules.prompt("x".repeat(20_001))))).isEqualTo("too_long");
  }

  @Test
  void an_ignored_property_is_not_judged_by_words_or_patterns() throws IOException {
    PromptGuard guard =
        guard(SOME + "patterns: [{category: p, any: [gore]}]\nignore_properties: [negative]\n");

    assertThat(guard.check(Rules.json("{\"negative\": \"kill, gore\"}"))).isEqualTo(Verdict.PASS);
    assertThat(category(guard.check(Rules.json("{\"negative\": \"\", \"x\": \"gore\"}"))))
        .isEqualTo("p");
  }

  @Test
  void a_rule_may_concern_some_effects_only() throws IOException {
    PromptGuard guard =
        guard(
            """
            words: [{category: a, any: [fox], effects: [sketch/*]}]
            patterns: [{category: b, any: ["hen{2}"], effects: [clip]}]
            """);

    assertThat(category(guard.check(asked("sketch/poster", "fox")))).isEqualTo("a");
    assertThat(guard.check(asked("clip", "fox"))).isEqualTo(Verdict.PASS);
    assertThat(category(guard.check(asked("clip", "henn")))).isEqualTo("b");
    assertThat(guard.check(asked("clips", "henn"))).isEqualTo(Verdict.PASS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "call 123-45-6789 now",
        "draw a GUN",
        "draw a g\u200Bun",
        "draw a g\u03C5n",
        "draw a 9un",
        "caf\u00E9",
        "draw g u n",
      })
  void a_pattern_sees_the_text_as_it_came_and_every_reading(String text) throws IOException {
    PromptGuard guard =
        guard("patterns: [{category: p, any: ['\\d{3}-\\d{2}-\\d{4}', '\\bgun', 'caf\u00E9']}]");

    assertThat(category(guard.check(Rules.prompt(text)))).isEqualTo("p");
    assertThat(guard.check(Rules.prompt("123-456 a begun cafe"))).isEqualTo(Verdict.PASS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a ", "1", "1i", "s s s ", "i!", "$", "\uFDFA", "*a", "a\u0301"})
  void no_text_keeps_the_guard_busy(String piece) throws IOException {
    PromptGuard guard =
        guard(
            """
            max_length: 200000
            words: [{category: w, any: [aaab, aaaab, "a a a a b", iiiill, lillillb, sssb, kisses]}]
            patterns: [{category: p, any: ["(a+)+$x", "(a|aa)+b", "(.*)(.*)(.*)[0-9]z"]}]
            """);
    GateRequest request = Rules.prompt(piece.repeat(100_000 / piece.length()));

    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> guard.check(request));
  }

  @Test
  void the_example_of_the_documentation_does_what_it_says() throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(root.resolve(".mvn"))) {
      root = Objects.requireNonNull(root.getParent(), "the root of the repository");
    }
    String page = Files.readString(root.resolve("docs/guard.md"));
    int from = page.indexOf("```yaml\n") + 8;
    PromptGuard guard = guard(page.substring(from, page.indexOf("```", from)));

    assertThat(guard.check(Rules.prompt("a skilled painter"))).isEqualTo(Verdict.PASS);
    assertThat(category(guard.check(Rules.prompt("how to k1ll")))).isEqualTo("violence");
    assertThat(category(guard.check(Rules.prompt("two massacres")))).isEqualTo("violence");
    assertThat(category(guard.check(Rules.prompt("a Millrace poster")))).isEqualTo("brands");
    assertThat(category(guard.check(Rules.prompt("I am 123-45-6789")))).isEqualTo("personal_data");
  }

  private PromptGuard guard(String yaml) throws IOException {
    return Rules.guard(directory, yaml);
  }

  private static GateRequest asked(String effect, String text) {
    return new GateRequest(
        1, "ada", effect, JsonNodeFactory.instance.objectNode().put("prompt", text));
  }

  private static String category(Verdict verdict) {
    return verdict instanceof Verdict.Denied denied ? denied.category() : verdict.toString();
  }
}
