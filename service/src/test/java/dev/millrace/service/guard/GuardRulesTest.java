package dev.millrace.service.guard;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.millrace.service.duties.GuardWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** How the rules' file is read, and read again. */
class GuardRulesTest {

  private static final String FOX = "words: [{category: fox, any: [fox]}]\n";

  @TempDir Path directory;

  @Test
  void every_mistake_is_told_at_once_with_its_line() throws IOException {
    assertThat(
            mistakes(
                """
                max_length: 0
                max_lenght: 5
                words:
                  - category: Bad Name
                    any: [fox, 12, "", "f*x", "a", "c&d"]
                  - any: [hen]
                  - {category: empty, any: []}
                  - category: scoped
                    any: [hen]
                    effects: ["Sketch Poster"]
                patterns:
                  - category: p
                    any:
                      - "(a"
                      - "(?<=a)b"
                      - "x*"
                      - "((a{1000}){1000}){1000}"
                      - "(a{100}){110}"
                ignore_properties: notes
                """))
        .satisfiesExactly(
            m -> assertThat(m).startsWith("rules.yaml:1: max_length must be a whole number"),
            m ->
                assertThat(m)
                    .isEqualTo(
                        "rules.yaml:2: max_lenght is not a known key; did you mean max_length?"),
            m -> assertThat(m).startsWith("rules.yaml:4: words[0].category must be at most 40"),
            m -> assertThat(m).startsWith("rules.yaml:5: words[0].any[1] must be text; put it in"),
            m -> assertThat(m).startsWith("rules.yaml:5: words[0].any[2] must not be empty"),
            m -> assertThat(m).startsWith("rules.yaml:5: words[0].any[3] must be words of letters"),
            m -> assertThat(m).startsWith("rules.yaml:5: words[0].any[4] must have at least two"),
            m -> assertThat(m).startsWith("rules.yaml:5: words[0].any[5] must be words of letters"),
            m -> assertThat(m).startsWith("rules.yaml:6: words[1].category is missing"),
            m -> assertThat(m).startsWith("rules.yaml:7: words[2].any must list at least one"),
            m -> assertThat(m).startsWith("rules.yaml:10: words[3].effects[0] must be the slug"),
            m -> assertThat(m).startsWith("rules.yaml:14: patterns[0].any[0] is not a pattern"),
            m -> assertThat(m).startsWith("rules.yaml:15: patterns[0].any[1] is not a pattern"),
            m -> assertThat(m).startsWith("rules.yaml:16: patterns[0].any[2] matches the empty"),
            m -> assertThat(m).startsWith("rules.yaml:17: patterns[0].any[3] repeats too much"),
            m -> assertThat(m).startsWith("rules.yaml:18: patterns[0].any[4] is too much"),
            m -> assertThat(m).startsWith("rules.yaml:19: ignore_properties must be a list"));
  }

  @Test
  void what_is_no_yaml_no_text_or_no_file_is_told_too() throws IOException {
    assertThat(mistakes("words: [")).singleElement().asString().contains("not valid YAML");
    assertThat(mistakes("")).containsExactly("rules.yaml: the file is empty");
    Path file = directory.resolve("rules.yaml");
    Files.write(file, new byte[] {'a', ':', ' ', (byte) 0xFF});
    assertThat(mistakesOf(file)).containsExactly("rules.yaml: the file is not UTF-8 text");
    Files.writeString(file, "#".repeat(1024 * 1024 + 1));
    assertThat(mistakesOf(file)).containsExactly("rules.yaml: the file is larger than 1024 KiB");
    Files.delete(file);
    assertThat(mistakesOf(file))
        .containsExactly("rules.yaml: the file can't be read: does it exist?");
  }

  @Test
  void a_rejection_lists_all_mistakes_for_a_start_that_fails() {
    assertThat(new GuardReload.Rejected(List.of("a:1: x", "a:2: y")).message())
        .isEqualTo("The guard's rules have mistakes:\n  a:1: x\n  a:2: y");
  }

  @Test
  void the_watch_picks_up_an_edit_and_keeps_the_old_rules_on_a_mistake() throws IOException {
    Path file = Files.writeString(directory.resolve("rules.yaml"), FOX);
    GuardRules rules = new GuardRules(file);
    assertThat(rules.reload()).isInstanceOf(GuardReload.Reloaded.class);
    PromptGuard guard = new PromptGuard(rules);
    GuardWatch watch = new GuardWatch(rules);

    assertThat(logOf(watch)).isEmpty();
    assertThat(guard.check(Rules.prompt("fox"))).isInstanceOf(Verdict.Denied.class);

    Files.writeString(file, "words: [{category: fox, any: [hen, badger]}]\n");
    assertThat(logOf(watch)).containsExactly("Reloaded the guard's rules: there are 1");
    assertThat(guard.check(Rules.prompt("fox"))).isEqualTo(Verdict.PASS);
    assertThat(guard.check(Rules.prompt("hen"))).isInstanceOf(Verdict.Denied.class);

    Files.writeString(file, "wrods: []\nmax_length: -1\n");
    assertThat(logOf(watch))
        .satisfiesExactly(
            line ->
                assertThat(line).startsWith("The guard's rules stay as they were. rules.yaml:1"),
            line ->
                assertThat(line).startsWith("The guard's rules stay as they were. rules.yaml:2"));
    assertThat(guard.check(Rules.prompt("hen"))).isInstanceOf(Verdict.Denied.class);
    assertThat(logOf(watch)).as("a mistake is told once").isEmpty();

    Files.delete(file);
    assertThat(logOf(watch)).singleElement().asString().contains("can't be read");
    assertThat(guard.check(Rules.prompt("hen"))).isInstanceOf(Verdict.Denied.class);
    assertThat(logOf(watch)).isEmpty();

    Files.writeString(file, FOX);
    assertThat(logOf(watch)).hasSize(1);
    assertThat(guard.check(Rules.prompt("fox"))).isInstanceOf(Verdict.Denied.class);
  }

  @Test
  void the_table_of_lookalikes_is_large_and_leads_to_latin_letters() {
    assertThat(Lookalikes.TABLE.size()).isGreaterThan(400);
    for (int point = 0x80; point <= 0x1FFFF; point++) {
      int latin = Lookalikes.TABLE.alike(point);
      assertThat(latin == point || (latin < 0x80 && Character.isLetter(latin))).isTrue();
    }
    for (int point = 0; point < 0x80; point++) {
      assertThat(Lookalikes.TABLE.alike(point)).isEqualTo(point);
    }
  }

  @Test
  void the_first_gate_that_objects_has_decided() throws InterruptedException {
    Verdict denied = new Verdict.Denied("first", "No.");
    Gate pass = _ -> Verdict.PASS;
    Gate never =
        _ -> {
          throw new AssertionError("asked after a denial");
        };

    assertThat(new Gates(List.of(pass, _ -> denied, never)).check(Rules.prompt("x")))
        .isEqualTo(denied);
    assertThat(new Gates(List.of(pass, pass)).check(Rules.prompt("x"))).isEqualTo(Verdict.PASS);
    assertThat(new Gates(List.of()).check(Rules.prompt("x"))).isEqualTo(Verdict.PASS);
  }

  private List<String> mistakes(String yaml) throws IOException {
    return mistakesOf(Files.writeString(directory.resolve("rules.yaml"), yaml));
  }

  private static List<String> mistakesOf(Path file) {
    return new GuardRules(file).reload() instanceof GuardReload.Rejected(var mistakes)
        ? mistakes
        : List.of();
  }

  private static List<String> logOf(GuardWatch watch) {
    Logger logger = (Logger) LoggerFactory.getLogger(GuardWatch.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(lines);
    try {
      watch.run();
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(null);
    }
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
