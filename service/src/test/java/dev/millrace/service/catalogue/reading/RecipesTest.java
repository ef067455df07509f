package dev.millrace.service.catalogue.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.service.catalogue.AssetFile;
import dev.millrace.service.catalogue.CatalogueProblem;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.FileRule;
import dev.millrace.service.catalogue.Recipe;
import dev.millrace.service.catalogue.Resolution;
import dev.millrace.storage.MediaType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** File properties, templates, and the files that come with a catalogue. */
class RecipesTest {

  private static final String WORKFLOW =
      """
      workflow: portrait
      title: Portrait
      executor: worker
      properties:
        image: {type: file, title: Photo, media_types: [image/png, image/jpeg], max_bytes: 1000}
        prompt: {type: string, default: x}
        tags: {type: array, items: {type: string}, default: []}
        mood: {type: string}
      required: [image]
      template: graph.json
      output_node: "9"
      assets: {mask: masks/mask.txt}
      effects:
        - effect: portrait/plain
          title: Plain
          credits_cost: 1
        - effect: portrait/other
          title: Other
          credits_cost: 1
          assets: {mask: other.txt, more: other.txt}
      """;

  private static final String GRAPH =
      """
      {"1": {"class_type": "LoadImage", "inputs": {"image": "{{image}}", "mask": "{{mask}}"}},
       "9": {"class_type": "SaveImage", "inputs": {"prefix": "{{prompt}}"}}}
      """;

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.createDirectory(folder.resolve("masks"));
    Files.writeString(folder.resolve("masks/mask.txt"), "mask");
    Files.writeString(folder.resolve("other.txt"), "other");
    Files.writeString(folder.resolve("graph.json"), GRAPH);
    Files.writeString(folder.resolve("a.yaml"), WORKFLOW);
  }

  @Test
  void a_file_property_is_a_text_with_an_id_for_those_who_read_the_schema() {
    Effect effect = effect("portrait/plain");
    JsonNode image = effect.inputSchema().at("/properties/image");
    assertThat(image.toString())
        .isEqualTo(
            "{\"type\":\"string\",\"format\":\"uuid\",\"title\":\"Photo\",\"x-file\":"
                + "{\"media_types\":[\"image/png\",\"image/jpeg\"],\"max_bytes\":1000}}");
    assertThat(effect.workflow().properties().files())
        .isEqualTo(Map.of("image", new FileRule(List.of(MediaType.PNG, MediaType.JPEG), 1000L)));
    assertThat(effect.resolve(TestCatalogue.json("{'image':'no id'}")))
        .isInstanceOf(Resolution.Invalid.class);
    assertThat(
            effect.resolve(TestCatalogue.json("{'image':'0197c3a1-6f1e-7cc3-98c4-dc0c0c07398f'}")))
        .isInstanceOf(Resolution.Resolved.class);
  }

  @Test
  void an_effects_own_file_stands_in_for_the_workflows() {
    assertThat(effect("portrait/plain").assets()).containsOnlyKeys("mask");
    AssetFile mask = asset("portrait/plain", "mask");
    assertThat(mask.size()).isEqualTo(4);
    assertThat(mask.type()).isEqualTo(MediaType.TEXT);
    assertThat(effect("portrait/other").assets()).containsOnlyKeys("mask", "more");
    assertThat(asset("portrait/other", "mask").size()).isEqualTo(5);
    Recipe recipe = effect("portrait/plain").workflow().recipe();
    assertThat(recipe.outputNode()).isEqualTo("9");
  }

  @Test
  void a_template_may_stand_in_the_file_itself() throws IOException {
    change(
        "template: graph.json",
        "template: {\"9\": {class_type: Save, inputs: {p: \"{{prompt}}\"}}}");
    assertThat(problems()).isEmpty();
  }

  @Test
  void unknown_places_are_named_with_the_nearest_name() throws IOException {
    graph("{{promt}}");
    assertThat(problems())
        .containsExactly(
            "a.yaml:10: template has {{promt}}, which is neither a property nor an asset; did you"
                + " mean prompt?");
  }

  @Test
  void a_place_must_get_a_plain_value_from_every_job() throws IOException {
    graph("{{tags}} {{mood}}");
    assertThat(problems())
        .containsExactly(
            "a.yaml:10: template has {{tags}}, but only a text, a number, true or false can be"
                + " filled in",
            "a.yaml:10: template has {{mood}}, which a job may lack; give it a default or require"
                + " it");
  }

  @Test
  void what_is_no_graph_in_api_format_is_refused_in_words() throws IOException {
    Files.writeString(folder.resolve("graph.json"), "{\"nodes\": [], \"links\": []}");
    assertThat(problems()).singleElement().asString().contains("API format", "nodes");
    Files.writeString(folder.resolve("graph.json"), "{\"9\": {}, \"9\": {}}");
    assertThat(problems()).singleElement().asString().contains("is not JSON");
    Files.writeString(folder.resolve("graph.json"), "[]");
    assertThat(problems()).singleElement().asString().contains("one JSON object");
  }

  @Test
  void the_output_node_is_a_node_of_the_template() throws IOException {
    change("output_node: \"9\"", "output_node: \"10\"");
    assertThat(problems()).singleElement().asString().contains("no node of the template");
    change("output_node: \"10\"\n", "");
    assertThat(problems()).singleElement().asString().contains("output_node is missing");
  }

  @Test
  void files_are_taken_from_beside_the_yaml_file_and_from_nowhere_else() throws IOException {
    Path outside =
        Files.writeString(folder.resolveSibling("outside-" + folder.getFileName() + ".txt"), "x");
    Files.createSymbolicLink(folder.resolve("link.txt"), outside);
    for (String path :
        List.of(
            "../" + outside.getFileName(),
            outside.toString(),
            "link.txt",
            "gone.txt",
            ".",
            "a.unknown")) {
      Files.writeString(folder.resolve("a.yaml"), WORKFLOW.replace("masks/mask.txt", path));
      assertThat(problems()).as(path).isNotEmpty().allMatch(line -> line.contains("assets.mask"));
    }
    Files.delete(outside);
    Files.writeString(folder.resolve("fake.png"), "no picture");
    Files.writeString(folder.resolve("a.yaml"), WORKFLOW.replace("masks/mask.txt", "fake.png"));
    assertThat(problems()).singleElement().asString().contains("is not image/png");
  }

  @Test
  void mistakes_of_a_file_property_are_told() throws IOException {
    change("max_bytes: 1000", "max_bytes: 0, default: y");
    change("image/jpeg", "image/bmp");
    assertThat(problems())
        .hasSize(3)
        .anyMatch(line -> line.contains("media_types[1] must be a media type"))
        .anyMatch(line -> line.contains("max_bytes must be a whole number"))
        .anyMatch(line -> line.contains("default is not a known key"));
  }

  @Test
  void an_effect_can_not_bring_a_users_file() throws IOException {
    change(
        "assets: {mask: other.txt, more: other.txt}",
        "fixed: {image: 0197c3a1-6f1e-7cc3-98c4-dc0c0c07398f}");
    assertThat(problems()).singleElement().asString().contains("ship one with assets instead");
  }

  @Test
  void a_changed_asset_or_template_is_noticed() throws IOException {
    CatalogueFiles files = files();
    files.reload();
    assertThat(files.changed()).isFalse();
    Files.writeString(folder.resolve("masks/mask.txt"), "changed");
    assertThat(files.changed()).isTrue();
    files.reload();
    assertThat(files.changed()).isFalse();
    Files.setLastModifiedTime(
        folder.resolve("graph.json"), FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
    assertThat(files.changed()).isTrue();
  }

  private void change(String from, String to) throws IOException {
    String text = Files.readString(folder.resolve("a.yaml"));
    assertThat(text).contains(from);
    Files.writeString(folder.resolve("a.yaml"), text.replace(from, to));
  }

  private void graph(String text) throws IOException {
    Files.writeString(folder.resolve("graph.json"), GRAPH.replace("{{prompt}}", text));
  }

  private CatalogueFiles files() {
    return new CatalogueFiles(new CatalogueRules(100, Set.of("worker", "sketch")), folder);
  }

  private List<String> problems() {
    return files().reload() instanceof Reload.Rejected(var problems)
        ? problems.stream().map(CatalogueProblem::toString).toList()
        : List.of();
  }

  private AssetFile asset(String effect, String name) {
    return Objects.requireNonNull(effect(effect).assets().get(name));
  }

  private Effect effect(String slug) {
    CatalogueFiles files = files();
    assertThat(files.reload()).isInstanceOf(Reload.Reloaded.class);
    return files.current().effect(slug).orElseThrow();
  }
}
