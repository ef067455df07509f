package dev.millrace.architecture.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.architecture.tidy.Repository;
import dev.millrace.architecture.tidy.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** No page names what isn't there. */
class DocumentsTest {

  private static final Pattern VARIABLE = Pattern.compile("\\bMILLRACE_[A-Z0-9_]*[A-Z0-9]");
  private static final Pattern ROUTE =
      Pattern.compile(
          "(?:\\$MILLRACE_URL|\\b(?:GET|POST|PUT|DELETE) |^)(/api/[^\\s\"'?`]*[^\\s\"'?`/])(?![^\\s\"'?`])");
  private static final Pattern TYPE =
      Pattern.compile("(?:[a-z.]+\\.)?((?:[A-Z][a-z]+){2,})|(?:[a-z]+\\.)+([A-Z][A-Za-z]+)");
  private static final Pattern TYPE_MADE =
      Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w+)");
  private static final Pattern PACKAGE =
      Pattern.compile(
          "(contract|spi|engine|postgres|storage|providers|sketch|service|web|server|worker|cli)"
              + "((?:\\.[a-z]+)+)");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Test)(?:\\.([a-z0-9_]+))?`");
  private static final Pattern METRIC = Pattern.compile("\\bmillrace_[a-z_]+[a-z]\\b");

  /** Kubernetes' own, as an example of what is ignored, and those of the provider in a jar. */
  private static final Set<String> VARIABLES_OF_OTHERS =
      Set.of("MILLRACE_SERVICE_HOST", "MILLRACE_STAMP_KEY", "MILLRACE_STAMP_LABEL");

  /** Types that other people's programs have. */
  private static final Set<String> TYPES_OF_OTHERS =
      Set.of(
          "EventSource",
          "TimeoutStopSec",
          "CompleteMultipartUpload",
          "ValueError",
          "TypeError",
          "EmptyImage",
          "ImageBlur",
          "PreviewImage");

  /** Elsewhere a name with a dot may be an action of the audit. */
  private static final Set<String> PAGES_ABOUT_PACKAGES =
      Set.of("docs/architecture.md", "CONTRIBUTING.md");

  private final List<SourceFile> files = Repository.files();
  private final List<Page> pages = Page.all();

  DocumentsTest() throws IOException {}

  @Test
  void every_link_leads_to_a_file_and_every_anchor_to_a_heading() {
    List<String> dead = new ArrayList<>();
    for (Page page : pages) {
      for (String link : page.links()) {
        if (!link.contains("://") && !leads(page, link)) {
          dead.add(page.path() + ": " + link);
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  private boolean leads(Page page, String link) {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path from = Path.of(page.path());
    Path to = file.isEmpty() ? from : from.resolveSibling(file).normalize();
    if (!Files.exists(Repository.root().resolve(to))) {
      return false;
    }
    return hash < 0
        || pages.stream()
            .filter(other -> other.path().equals(to.toString()))
            .anyMatch(other -> other.anchors().contains(link.substring(hash + 1)));
  }

  /** A test is named by its class, or by its class and the law. */
  @Test
  void every_test_that_a_page_names_is_there() {
    List<String> missing = new ArrayList<>();
    int count = 0;
    for (Page page : pages) {
      for (Matcher named = TEST.matcher(page.prose()); named.find(); count++) {
        String law = named.group(2);
        if (!isThere(named.group(1), law == null ? "" : law)) {
          missing.add(page.path() + ": " + named.group());
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(count).isGreaterThan(40);
  }

  private boolean isThere(String name, String law) {
    return files.stream()
        .filter(file -> file.path().endsWith("/" + name + ".java"))
        .anyMatch(file -> law.isEmpty() || file.text().contains("void " + law + "("));
  }

  @Test
  void every_command_that_a_page_tells_to_type_can_be_typed() throws IOException {
    String script = Files.readString(Repository.root().resolve("millrace"));
    List<String> wrong = new ArrayList<>();
    int count = 0;
    for (Page page : pages) {
      for (String command : page.code().flatMap(code -> CommandLines.in(code).stream()).toList()) {
        count++;
        if (!script.contains("= " + command.split(" ", 2)[0] + " ]")) { // The script's own.
          CommandLines.complaint(command)
              .ifPresent(why -> wrong.add(page.path() + ": millrace " + command + ": " + why));
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(count).isGreaterThan(60);
  }

  @Test
  void every_variable_that_a_page_names_is_in_the_tables_of_the_settings() {
    Set<String> known = new TreeSet<>(VARIABLES_OF_OTHERS);
    page("docs/configuration.md").rows().stream()
        .map(row -> row.getFirst().replace("`", ""))
        .forEach(known::add);
    assertThat(known).hasSizeGreaterThan(50);
    assertThat(named(VARIABLE, 0)).isSubsetOf(known);
  }

  /** A variable that nobody reads is a promise that nobody keeps. */
  @Test
  void every_variable_beside_the_settings_is_read_by_something() {
    List<String> others =
        page("docs/configuration.md").rows().stream()
            .filter(row -> row.size() == 3)
            .map(row -> row.getFirst().replace("`", ""))
            .filter(name -> name.startsWith("MILLRACE_"))
            .toList();
    assertThat(others).hasSize(4);
    assertThat(others)
        .allSatisfy(name ->
            assertThat(files)
                .filteredOn(file -> !file.isTest() && !file.path().endsWith("/SettingsTable.java"))
                .filteredOn(file -> file.isJava() || file.path().equals("millrace"))
                .anyMatch(file -> file.text().contains(name)));
  }

  @Test
  void every_route_that_a_page_names_is_in_the_description_of_the_api() throws IOException {
    List<Pattern> described = new ArrayList<>();
    for (String path : openApi().path("paths").propertyNames()) {
      // Effects have slashes in their names.
      String some = path.replaceAll("\\{slug}", "[^ ]+").replaceAll("\\{[a-z_]+}", "[^/]+");
      described.add(Pattern.compile(some));
    }
    Set<String> named =
        pages.stream()
            .flatMap(Page::code)
            .flatMap(code -> ROUTE.matcher(code).results())
            .map(route -> route.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).hasSizeGreaterThan(40);
    assertThat(named)
        .filteredOn(path -> described.stream().noneMatch(one -> one.matcher(path).matches()))
        .isEmpty();
  }

  @Test
  void every_class_and_package_that_a_page_names_is_in_the_sources() {
    Set<String> types = new TreeSet<>(TYPES_OF_OTHERS);
    for (SourceFile file : files) {
      Matcher made = TYPE_MADE.matcher(file.isJava() ? file.text() : "");
      while (made.find()) {
        types.add(made.group(1));
      }
    }
    List<String> missing = new ArrayList<>();
    for (Page page : pages) {
      for (String span : page.spans()) {
        Matcher type = TYPE.matcher(span);
        Matcher folder = PACKAGE.matcher(span);
        boolean unknown =
            type.matches()
                && !types.contains(type.group(1) == null ? type.group(2) : type.group(1));
        boolean isAbout = PAGES_ABOUT_PACKAGES.contains(page.path());
        if (unknown || (isAbout && folder.matches() && !isPackage(folder))) {
          missing.add(page.path() + ": " + span);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static boolean isPackage(Matcher name) {
    String module = name.group(1);
    String path = "src/main/java/dev/millrace/" + module + name.group(2).replace('.', '/');
    return Files.isDirectory(Repository.root().resolve(module).resolve(path));
  }

  @Test
  void every_metric_that_a_page_names_is_counted_somewhere() {
    String sources =
        files.stream()
            .filter(file -> file.isJava() && !file.isTest())
            .map(file -> file.text().replace('.', '_'))
            .collect(Collectors.joining());
    assertThat(named(METRIC, 0))
        .hasSizeGreaterThan(8)
        .filteredOn(metric -> !isCounted(metric, sources))
        .isEmpty();
  }

  /** The registry adds a unit; the gauges of the queues are made from a list of their names. */
  private static boolean isCounted(String metric, String sources) {
    String queue = "millrace_queue_";
    return metric.startsWith(queue)
        ? sources.contains('"' + metric.substring(queue.length()) + '"')
        : sources.contains(metric.replaceAll("_(total|seconds|bytes|count|sum|bucket)$", ""));
  }

  private Set<String> named(Pattern pattern, int group) {
    return pages.stream()
        .flatMap(Page::code)
        .flatMap(code -> pattern.matcher(code).results())
        .map(found -> found.group(group))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Page page(String path) {
    return pages.stream().filter(page -> page.path().equals(path)).findFirst().orElseThrow();
  }

  private static JsonNode openApi() throws IOException {
    try (var file = DocumentsTest.class.getResourceAsStream("/openapi.yaml")) {
      return new YAMLMapper().readTree(Objects.requireNonNull(file, "openapi.yaml"));
    }
  }
}
