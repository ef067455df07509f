package dev.millrace.architecture.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.architecture.tidy.Repository;
import dev.millrace.architecture.tidy.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One word means one thing, and the glossary says which. */
class GlossaryTest {

  private static final Pattern ROW =
      Pattern.compile(
          "^\\| \\*\\*([a-z ]+)\\*\\* \\|[^|]*\\| ([^|]*) \\| ([^|]*) \\| ([^|]*) \\|$",
          Pattern.MULTILINE);
  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
  private static final Pattern SOURCE =
      Pattern.compile("^[a-z]+/src/main/java/dev/millrace/(.*)/([A-Z]\\w*)\\.java$");

  /** Programs that only measure or try the others have words of their own. */
  private static final Set<String> APART = Set.of("testkit", "bench", "mutants");

  /** Names that were puzzling once. Nested types don't have them either. */
  private static final Pattern PUZZLING =
      Pattern.compile(
          "\\b(?:class|record|interface|enum) (Dispatches|Executing|Listening|Described|Known|Crowd"
              + "|Dock|Berth|Again|Told|Facts|Deeds|Heads|Masks|House|Mill|Fate|Pulse|Beat|Need|Heard"
              + "|Carried)\\b");

  /** A type inside another one, unless nobody outside sees it. */
  private static final Pattern NESTED =
      Pattern.compile(
          "^ +((?:[a-z-]+ )*)(?:class|record|interface|enum) ([A-Z]\\w*)", Pattern.MULTILINE);

  /** Nested types that are the word, or tell of it, as their owners need it. */
  private static final Set<String> SAME =
      Set.of(
          "cli.api.EventFeed.Event",
          "cli.command.admin.EffectsCommand.Pause",
          "cli.command.admin.WorkflowsCommand.Pause",
          "postgres.files.FileView.Review",
          "postgres.outside.HandoverView.Job",
          "postgres.outside.StrayCallback.Attempt",
          "postgres.tenants.UserTokenView.Jobs",
          "providers.http.Description.Webhook",
          "server.settings.Settings.Leases",
          "server.settings.Settings.Files",
          "server.settings.Settings.Lanes",
          "server.settings.Settings.Doctor",
          "service.catalogue.EffectPolicy.Review",
          "service.execution.ProviderOverview.Provider",
          "spi.provider.ProviderSetting.File",
          "web.console.admin.FleetPages.Worker");

  private record Word(List<String> types, List<String> tables, List<String> fields) {}

  private final List<SourceFile> files = Repository.files();
  private final Map<String, Word> words = new TreeMap<>();

  GlossaryTest() throws IOException {
    String page = Files.readString(Repository.root().resolve("docs/words.md"));
    Matcher row = ROW.matcher(page);
    while (row.find()) {
      Word word = new Word(spans(row.group(2)), spans(row.group(3)), spans(row.group(4)));
      assertThat(words.put(row.group(1), word)).as("%s stands twice", row.group(1)).isNull();
    }
  }

  private static List<String> spans(String cell) {
    return SPAN.matcher(cell).results().map(found -> found.group(1)).toList();
  }

  /** By the package and the name, such as {@code engine.job.Job}. */
  private List<String> types() {
    List<String> types = new ArrayList<>();
    for (SourceFile file : files) {
      Matcher source = SOURCE.matcher(file.path());
      if (source.matches() && !APART.contains(file.path().split("/", 2)[0])) {
        types.add(source.group(1).replace('/', '.') + "." + source.group(2));
      }
    }
    return types;
  }

  @Test
  void every_type_table_and_field_of_the_glossary_exists() throws IOException {
    assertThat(words).hasSizeGreaterThan(35);
    List<String> types = types();
    String schema =
        files.stream()
            .filter(file -> file.path().contains("/postgres/schema/") && !file.isTest())
            .map(SourceFile::text)
            .collect(Collectors.joining());
    String api = Files.readString(Repository.root().resolve("web/src/main/resources/openapi.yaml"));
    words.forEach((word, row) -> {
      assertThat(types).as(word).containsAll(row.types);
      for (String table : row.tables) {
        for (String name : table.split("\\.", -1)) {
          assertThat(schema).as(word).containsPattern("\\b" + name + "\\b");
        }
      }
      for (String field : row.fields) {
        assertThat(api).as(word).containsPattern("\\b" + field + "\\b");
      }
    });
  }

  /** By the package, the file and the name, such as {@code postgres.files.FileView.Review}. */
  private List<String> nested() {
    List<String> types = new ArrayList<>();
    for (SourceFile file : files) {
      Matcher source = SOURCE.matcher(file.path());
      if (source.matches() && !APART.contains(file.path().split("/", 2)[0])) {
        Matcher type = NESTED.matcher(file.text());
        while (type.find()) {
          if (!type.group(1).contains("private ")) {
            types.add(
                source.group(1).replace('/', '.') + "." + source.group(2) + "." + type.group(2));
          }
        }
      }
    }
    return types;
  }

  @Test
  void no_type_uses_a_word_of_the_glossary_for_something_else() {
    Map<String, String> meanings = meanings();
    List<String> strangers = strangers(types(), meanings);
    List<String> nested = nested();
    assertThat(nested).hasSizeGreaterThan(300).containsAll(SAME);
    strangers.addAll(strangers(nested, meanings));
    assertThat(strangers).isEmpty();
  }

  private Map<String, String> meanings() {
    Map<String, String> meanings = new HashMap<>();
    for (String word : words.keySet()) {
      String name = word.replace(" ", "");
      meanings.put(name, word);
      meanings.put(name + "s", word);
      meanings.put(name.replaceAll("y$", "ies"), word);
    }
    return meanings;
  }

  private List<String> strangers(List<String> types, Map<String, String> meanings) {
    List<String> strangers = new ArrayList<>();
    for (String type : types) {
      String simple = type.substring(type.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
      String word = meanings.get(simple);
      if (word != null
          && !SAME.contains(type)
          && !Objects.requireNonNull(words.get(word)).types.contains(type)) {
        strangers.add(type + " is no " + word);
      }
    }
    return strangers;
  }

  @Test
  void no_type_has_a_metaphor_or_a_participle_for_a_name_that_was_replaced() {
    List<String> puzzling = new ArrayList<>();
    for (SourceFile file : files) {
      if (SOURCE.matcher(file.path()).matches()) {
        Matcher name = PUZZLING.matcher(file.text());
        while (name.find()) {
          puzzling.add(file.path() + " " + name.group(1));
        }
      }
    }
    // A case of a sealed answer is read together with what it is the answer to.
    assertThat(puzzling)
        .containsExactly("service/src/main/java/dev/millrace/service/access/BearerKind.java Known");
  }

  @Test
  void no_two_public_types_share_a_name() {
    Set<String> seen = new HashSet<>();
    Set<String> twice = new TreeSet<>();
    for (SourceFile file : files) {
      Matcher source = SOURCE.matcher(file.path());
      if (source.matches()
          && !APART.contains(file.path().split("/", 2)[0])
          && isPublic(file.text(), source.group(2))
          && !seen.add(source.group(2))) {
        twice.add(source.group(2));
      }
    }
    assertThat(twice).isEmpty();
  }

  private static boolean isPublic(String text, String name) {
    return Pattern.compile(
            "^public [a-z -]*(?:class|record|interface|enum) " + name + "\\b", Pattern.MULTILINE)
        .matcher(text)
        .find();
  }
}
