package dev.millrace.service.catalogue.reading;

import static dev.millrace.service.catalogue.reading.TestCatalogue.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.catalogue.Resolution;
import dev.millrace.service.catalogue.Resolution.Resolved;
import dev.millrace.service.catalogue.reading.Reload.Reloaded;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class BuiltInsTest {

  private final CatalogueFiles files =
      new CatalogueFiles(new CatalogueRules(1000, Set.of("sketch")), null);

  @BeforeEach
  void load() {
    assertThat(files.reload()).isInstanceOf(Reloaded.class);
  }

  @Test
  void the_list_names_every_packed_file() throws IOException, URISyntaxException {
    Path folder =
        Path.of(Objects.requireNonNull(BuiltIns.class.getResource(BuiltIns.FOLDER)).toURI());
    try (Stream<Path> packed = Files.list(folder)) {
      assertThat(packed.map(path -> String.valueOf(path.getFileName())))
          .containsExactlyInAnyOrderElementsOf(BuiltIns.FILES);
    }
  }

  @Test
  void every_style_has_its_effect_and_there_are_a_few_more() {
    List<String> styles =
        files
            .current()
            .workflow("sketch")
            .orElseThrow()
            .properties()
            .schemas()
            .path("style")
            .path("enum")
            .values()
            .stream()
            .map(JsonNode::asString)
            .toList();

    assertThat(files.current().effects())
        .extracting(Effect::slug)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    styles.stream().map(name -> "sketch/" + name),
                    Stream.of(
                            "storyboard",
                            "draft",
                            "series",
                            "proof",
                            "sheet",
                            "chat",
                            "speech",
                            "edit")
                        .map(name -> "sketch/" + name),
                    Stream.of("images/default"))
                .flatMap(names -> names)
                .toList());
    for (String style : styles) {
      assertThat(input("sketch/" + style).path("style").asString()).isEqualTo(style);
    }
  }

  @Test
  void every_sketch_needs_only_a_prompt_and_resolves_completely() {
    for (Effect effect : files.current().effects()) {
      if (!effect.workflow().slug().equals("sketch")) {
        continue;
      }
      assertThat(input(effect.slug()).propertyNames())
          .as(effect.slug())
          .containsExactlyInAnyOrder(
              "prompt", "style", "width", "height", "variants", "delay_seconds", "fail", "block");
      assertThat(effect.inputSchema().path("required").values()).hasSize(1);
      assertThat(effect.description()).isNotEmpty();
    }
  }

  @Test
  void the_price_keeps_its_meaning() {
    assertThat(cost("sketch/draft")).isEqualTo(1);
    assertThat(cost("sketch/poster")).isEqualTo(5);
    assertThat(cost("sketch/storyboard")).isGreaterThan(cost("sketch/poster"));
    assertThat(input("sketch/storyboard").path("variants").asInt()).isEqualTo(4);
    assertThat(effect("sketch/poster").resolve(json("{'prompt': 'x', 'variants': 4}")))
        .isInstanceOf(Resolution.Invalid.class);
    assertThat(effect("sketch/draft").resolve(json("{'prompt': 'x', 'width': 2048}")))
        .isInstanceOf(Resolution.Invalid.class);
  }

  @Test
  void a_series_is_held_for_as_many_pictures_as_were_asked_for() {
    Effect series = effect("sketch/series");

    assertThat(series.holdFor(input("sketch/series"))).isEqualTo(8);
    assertThat(series.holdFor(json("{'prompt': 'x', 'variants': 3}"))).isEqualTo(6);
  }

  @Test
  void a_reviewed_proof_leads_to_a_contact_sheet() {
    Effect proof = effect("sketch/proof");

    assertThat(proof.policy().review()).isEqualTo(EffectPolicy.Review.REQUIRED);
    assertThat(proof.holdFor(input("sketch/proof"))).isEqualTo(3);
    assertThat(proof.followUp()).isEqualTo("sketch/sheet");
    assertThat(effect("sketch/sheet").resolve(json("{'items': ['a'], 'skipped': 2}")))
        .isEqualTo(new Resolved(json("{'items': ['a'], 'title': 'Contact sheet', 'skipped': 2}")));
    assertThat(effect("sketch/sheet").resolve(json("{}"))).isInstanceOf(Resolved.class);
  }

  @Test
  void effects_of_providers_are_offered_only_where_the_provider_is() {
    CatalogueFiles all =
        new CatalogueFiles(
            new CatalogueRules(
                1000,
                Set.of("sketch", "openai", "scrape", "replicate", "worker", "items", "transfer")),
            null);
    assertThat(all.reload()).isInstanceOf(Reloaded.class);

    for (String slug :
        List.of(
            "copy",
            "tts",
            "scrape",
            "static-ad",
            "ugc-video",
            "processes/ai-location-import-generate",
            "processes/ai-location-import-apply",
            "processes/ai-location-improvement-generate",
            "processes/ai-location-improvement-apply",
            "processes/csv-location-import")) {
      assertThat(files.current().effect(slug)).as(slug).isEmpty();
      assertThat(all.current().effect(slug)).as(slug).isPresent();
    }
    Effect copy = all.current().effect("copy").orElseThrow();
    assertThat(copy.resolve(json("{'prompt': 'x', 'variants': 3}"))).isInstanceOf(Resolved.class);
    assertThat(copy.holdFor(json("{'prompt': 'x', 'variants': 3}"))).isEqualTo(3);
    assertThat(copy.resolve(json("{'prompt': 'x', 'task': 'image'}")))
        .isInstanceOf(Resolution.Invalid.class);
    assertThat(copy.resolve(json("{'prompt': 'x', 'system': 'y'}")))
        .isInstanceOf(Resolution.Invalid.class);
  }

  private Effect effect(String slug) {
    return files.current().effect(slug).orElseThrow();
  }

  private long cost(String slug) {
    return effect(slug).creditsCost();
  }

  private ObjectNode input(String slug) {
    assertThat(effect(slug).resolve(json("{'prompt': 'x'}"))).isInstanceOf(Resolved.class);
    return ((Resolved) effect(slug).resolve(json("{'prompt': 'x'}"))).input();
  }
}
