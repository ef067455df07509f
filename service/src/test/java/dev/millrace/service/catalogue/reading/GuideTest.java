package dev.millrace.service.catalogue.reading;

import static dev.millrace.service.catalogue.reading.TestCatalogue.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.service.catalogue.CatalogueProblem;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.Resolution.Resolved;
import dev.millrace.service.catalogue.reading.Reload.Rejected;
import dev.millrace.service.catalogue.reading.Reload.Reloaded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide for operators is tried out here, so that it stays true. */
class GuideTest {

  @TempDir Path directory;

  private String guide = "";

  @BeforeEach
  void writeTheExamplesOut() throws IOException {
    guide = Files.readString(Path.of("..", "docs", "adding-a-workflow.md"));
    List<String> examples = fenced("yaml");
    assertThat(examples).hasSize(7);
    Files.writeString(directory.resolve("portrait.yaml"), examples.getFirst());
    for (String example : examples.subList(1, examples.size())) {
      Files.writeString(directory.resolve(examples.indexOf(example) + ".yaml"), example);
    }
  }

  @Test
  void its_examples_are_good_and_resolve_as_it_says() {
    CatalogueFiles files = new CatalogueFiles(TestCatalogue.RULES, directory);

    assertThat(files.reload()).isInstanceOf(Reloaded.class);

    assertThat(files.current().effect("sketch/wallpaper")).isPresent();
    Effect effect = files.current().effect("portrait/candlelight").orElseThrow();
    assertThat(effect.resolve(json("{'prompt': 'My aunt'}")))
        .isEqualTo(new Resolved(json(fenced("json").getFirst())));
    Effect priced = files.current().effect("gallery/draft").orElseThrow();
    assertThat(priced.holdFor(json("{'prompt': 'A mill', 'variants': 3}"))).isEqualTo(15);
    assertThat(guide).contains("the job\nabove holds 15 credits");
  }

  @Test
  void its_mistakes_are_told_as_it_says() throws IOException {
    String portrait = fenced("yaml").getFirst();
    Files.writeString(
        directory.resolve("portrait.yaml"),
        portrait.replace("credits_cost: 12", "credits_cost: -12").replace("{light:", "{ligth:"));

    Reload reload = new CatalogueFiles(TestCatalogue.RULES, directory).reload();

    assertThat(reload).isInstanceOf(Rejected.class);
    assertThat(((Rejected) reload).problems())
        .extracting(CatalogueProblem::toString)
        .containsExactlyElementsOf(fenced("text").getFirst().lines().toList());
  }

  private List<String> fenced(String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(guide)
        .results()
        .map(found -> found.group(1))
        .toList();
  }
}
