package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.Properties;
import dev.millrace.service.catalogue.QuotedText;
import dev.millrace.service.catalogue.Recipe;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.service.catalogue.Workflow;
import dev.millrace.service.catalogue.WorkflowLimits;
import dev.millrace.service.names.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A workflow as its file has it, perhaps with mistakes that are already reported.
 *
 * @param broken names of properties whose own schema is wrong: nothing can be checked against them
 */
record WorkflowDraft(SourceFile file, Workflow workflow, Set<String> broken) {

  static final Pattern SLUG = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
  static final String SLUG_IN_WORDS = "lower case letters, digits and single dashes";
  static final int MOST_SLUG_CHARACTERS = 64;

  private static final Pattern PROPERTY = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
  private static final int MOST_TITLE_CHARACTERS = 120;
  private static final int MOST_DESCRIPTION_CHARACTERS = 2000;

  String slug() {
    return workflow.slug();
  }

  static WorkflowDraft read(Section section, CatalogueRules rules) {
    String slug = section.text("workflow", MOST_SLUG_CHARACTERS, SLUG, SLUG_IN_WORDS);
    int version = (int) section.whole("version", 1, Integer.MAX_VALUE, 1);
    String title = section.text("title", MOST_TITLE_CHARACTERS);
    String description = section.optionalText("description", MOST_DESCRIPTION_CHARACTERS);
    String executor = executor(section, rules);
    String provider = section.optionalText("provider", MOST_SLUG_CHARACTERS, SLUG, SLUG_IN_WORDS);
    boolean active = section.flag("active", true);
    ObjectNode schemas =
        FileProperties.translate(
            section.file(), section.path("properties"), section.mapping("properties"));
    Set<String> broken = brokenProperties(section, schemas);
    List<String> required = required(section, schemas);
    WorkflowLimits limits = limits(section.section("limits"), rules.limits());
    Recipe recipe = RecipeReader.read(section, schemas, required);
    rules
        .settings()
        .mistakes(executor, recipe.settings())
        .forEach(mistake -> section.complain("settings", mistake));
    Properties properties = new Properties(schemas, required);
    return new WorkflowDraft(
        section.file(),
        new Workflow(
            new Effect.Heading(slug, title, description),
            version,
            executor,
            provider.isEmpty() ? null : provider,
            active,
            limits,
            properties,
            recipe),
        broken);
  }

  private static String executor(Section section, CatalogueRules rules) {
    String executor = section.text("executor", MOST_SLUG_CHARACTERS, SLUG, SLUG_IN_WORDS);
    if (!executor.isEmpty() && !rules.executors().contains(executor)) {
      List<String> known = rules.executors().stream().sorted().toList();
      section.complain(
          "executor",
          "must be one of "
              + String.join(", ", known)
              + ", not \""
              + executor
              + "\""
              + NearestName.hint(executor, known));
    }
    return executor;
  }

  private static Set<String> brokenProperties(Section section, ObjectNode schemas) {
    Set<String> broken = new LinkedHashSet<>();
    for (var property : schemas.properties()) {
      String at = SourceFile.within(section.path("properties"), property.getKey());
      PropertySchema checked = new PropertySchema(section.file(), at);
      if (!PROPERTY.matcher(property.getKey()).matches()) {
        section.file().report(at, "must be named by a letter, then letters, digits, _ or -");
        broken.add(property.getKey());
      } else if (!checked.isGood(property.getValue())) {
        broken.add(property.getKey());
      }
    }
    return broken;
  }

  private static List<String> required(Section section, ObjectNode schemas) {
    List<String> names = new ArrayList<>();
    List<JsonNode> items = section.list("required");
    for (int i = 0; i < items.size(); i++) {
      JsonNode item = items.get(i);
      String at = SourceFile.within(section.path("required"), i);
      if (item.isString() && schemas.has(item.asString())) {
        names.add(item.asString());
      } else {
        String hint =
            item.isString() ? NearestName.hint(item.asString(), schemas.propertyNames()) : "";
        section
            .file()
            .report(at, "must be the name of a property, not " + QuotedText.of(item) + hint);
      }
    }
    return names;
  }

  private static WorkflowLimits limits(Section section, WorkflowLimits otherwise) {
    long run =
        section.whole("run_seconds", 1, WorkflowLimits.MAX_RUN_SECONDS, otherwise.runSeconds());
    long queue =
        section.whole(
            "queue_seconds", 1, WorkflowLimits.MAX_QUEUE_SECONDS, otherwise.queueSeconds());
    section.close();
    return new WorkflowLimits(run, queue);
  }
}
