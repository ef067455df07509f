package dev.millrace.service.catalogue.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.service.catalogue.Catalogue;
import dev.millrace.service.catalogue.CatalogueProblem;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.catalogue.EffectPolicy.Review;
import dev.millrace.service.catalogue.WorkflowLimits;
import dev.millrace.service.catalogue.reading.Reload.Rejected;
import dev.millrace.service.catalogue.reading.Reload.Reloaded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogueFilesTest {

  private static final String CLIP =
      """
      workflow: clip
      title: Clip
      executor: worker
      properties:
        prompt: {type: string}
      effects:
        - {effect: clip/short, title: Short, credits_cost: 5}
      """;

  @TempDir Path directory;

  private CatalogueFiles files = new CatalogueFiles(TestCatalogue.RULES, null);

  @BeforeEach
  void open() {
    files = new CatalogueFiles(TestCatalogue.RULES, directory);
  }

  @Test
  void the_directory_adds_to_what_is_built_in() throws IOException {
    write("clip.yaml", CLIP);
    write("more.yml", "effects_of: sketch\neffects:\n  - {effect: x, title: X, credits_cost: 9}\n");
    write("notes.txt", "not: [read");
    write(".clip.yaml", "not: [read");
    Files.createDirectory(directory.resolve("old.yaml"));

    Catalogue catalogue = reloaded();

    assertThat(catalogue.effect("clip/short")).isPresent();
    assertThat(catalogue.effect("sketch/poster")).isPresent();
    assertThat(catalogue.effect("x").orElseThrow().workflow().slug()).isEqualTo("sketch");
  }

  @Test
  void a_file_is_checked_beside_the_others_and_changes_nothing() throws IOException {
    write("clip.yaml", CLIP);
    Catalogue before = reloaded();

    assertThat(files.check("new.yaml", CLIP.replace("workflow: clip", "workflow: film")).problems())
        .extracting(CatalogueProblem::path)
        .containsExactly("effects[0].effect");
    assertThat(files.check("clip.yaml", CLIP.replace(": 5", ": 7")).problems()).isEmpty();
    CheckedFile same = files.check("pasted.yaml", CLIP);
    assertThat(same.problems()).isEmpty();
    assertThat(same.workflow()).contains("clip");
    assertThat(same.effects()).containsExactly("clip/short");
    assertThat(files.check("pasted.yaml", "not: [yaml").problems()).isNotEmpty();
    assertThat(files.current()).isSameAs(before);
  }

  @Test
  void a_workflow_of_the_same_slug_replaces_the_built_in_one_and_its_effects() throws IOException {
    write("mine.yaml", CLIP.replace("workflow: clip", "workflow: sketch"));

    Catalogue catalogue = reloaded();

    assertThat(catalogue.workflow("sketch").orElseThrow().title()).isEqualTo("Clip");
    assertThat(catalogue.effects())
        .filteredOn(effect -> effect.workflow().slug().equals("sketch"))
        .extracting(Effect::slug)
        .containsExactly("clip/short");
  }

  @Test
  void a_built_in_effect_leaves_with_the_effect_that_it_leads_to() throws IOException {
    assertThat(reloaded().effect("sketch/proof")).isPresent();

    write("mine.yaml", CLIP.replace("workflow: clip", "workflow: sketch-sheet"));
    assertThat(reloaded().effect("sketch/proof")).isEmpty();

    write(
        "mine.yaml",
        """
        effects_of: sketch-sheet
        effects:
          - {effect: sketch/sheet, title: Off, credits_cost: 1, active: false}
        """);
    assertThat(reloaded().effect("sketch/proof")).isEmpty();
    assertThat(reloaded().effect("sketch/poster")).isPresent();
  }

  @Test
  void an_effect_of_the_same_slug_replaces_only_that_built_in_effect() throws IOException {
    int before = reloaded().effects().size();
    write(
        "mine.yaml",
        "effects_of: sketch\neffects:\n  - {effect: sketch/poster, title: Mine, credits_cost: 7}\n");

    Catalogue catalogue = reloaded();

    assertThat(catalogue.effect("sketch/poster").orElseThrow().creditsCost()).isEqualTo(7);
    assertThat(catalogue.effects()).hasSize(before);
  }

  @Test
  void an_inactive_effect_or_workflow_is_not_on_offer() throws IOException {
    write("clip.yaml", CLIP.replace("cost: 5}", "cost: 5, active: false}"));
    assertThat(reloaded().effect("clip/short")).isEmpty();

    write("clip.yaml", CLIP + "active: false\n");
    Catalogue catalogue = reloaded();
    assertThat(catalogue.effect("clip/short")).isEmpty();
    assertThat(catalogue.effects()).noneMatch(effect -> effect.slug().equals("clip/short"));
    assertThat(catalogue.workflow("clip")).isPresent();
  }

  @Test
  void policies_and_limits_have_defaults_and_can_be_said() throws IOException {
    write("clip.yaml", CLIP);
    Catalogue plain = reloaded();
    assertThat(plain.effect("clip/short").orElseThrow().policy())
        .isEqualTo(new EffectPolicy(3, 10, Review.NONE, false, false));
    assertThat(plain.workflow("clip").orElseThrow().limits())
        .isEqualTo(new WorkflowLimits(600, 86_400));

    write(
        "clip.yaml",
        CLIP.replace(
                "cost: 5}",
                "cost: 5, retry: {max_failures: 1, max_interruptions: 2},"
                    + " review: required, safety: {refund: true}, decline: {consume: true}}")
            + "limits: {run_seconds: 7, queue_seconds: 8}\n");
    Catalogue said = reloaded();
    assertThat(said.effect("clip/short").orElseThrow().policy())
        .isEqualTo(new EffectPolicy(1, 2, Review.REQUIRED, true, true));
    assertThat(said.workflow("clip").orElseThrow().limits()).isEqualTo(new WorkflowLimits(7, 8));
  }

  @Test
  void a_mistake_keeps_the_old_catalogue_whole() throws IOException {
    write("clip.yaml", CLIP);
    Catalogue before = reloaded();
    write("clip.yaml", CLIP.replace("cost: 5", "cost: 6"));
    write("other.yaml", "workflow: other\n");

    assertThat(problems()).hasSize(3).allMatch(problem -> problem.startsWith("other.yaml"));

    assertThat(files.current()).isSameAs(before);
    Files.delete(directory.resolve("other.yaml"));
    assertThat(reloaded().effect("clip/short").orElseThrow().creditsCost()).isEqualTo(6);
    assertThat(before.effect("clip/short").orElseThrow().creditsCost()).isEqualTo(5);
  }

  @Test
  void a_change_is_noticed_until_it_is_read_even_if_it_was_a_mistake() throws IOException {
    Path clip = write("clip.yaml", CLIP);
    assertThat(files.changed()).isTrue();
    reloaded();
    assertThat(files.changed()).isFalse();

    Files.setLastModifiedTime(clip, FileTime.fromMillis(1_000_000));
    assertThat(files.changed()).isTrue();
    reloaded();
    assertThat(files.changed()).isFalse();

    write("other.yaml", "workflow: other\n");
    assertThat(files.changed()).isTrue();
    assertThat(problems()).isNotEmpty();
    assertThat(files.changed()).isFalse();

    Files.delete(directory.resolve("other.yaml"));
    assertThat(files.changed()).isTrue();
  }

  @Test
  void a_directory_that_is_not_there_is_a_mistake() {
    files = new CatalogueFiles(TestCatalogue.RULES, directory.resolve("nowhere"));

    assertThat(problems())
        .singleElement()
        .asString()
        .endsWith("nowhere: the catalogue directory can't be read: does it exist?");
    assertThat(files.changed()).isFalse();
  }

  @Test
  void a_file_that_is_too_large_or_no_text_is_a_mistake() throws IOException {
    write("large.yaml", "# " + "x".repeat(CatalogueFolder.MOST_BYTES));
    Files.write(directory.resolve("picture.yaml"), new byte[] {(byte) 0xff, (byte) 0xd8});

    assertThat(problems())
        .containsExactly(
            "large.yaml: the file is larger than 256 KiB",
            "picture.yaml: the file is not UTF-8 text");
  }

  @Test
  void too_many_files_are_a_mistake() throws IOException {
    for (int i = 0; i <= CatalogueFolder.MOST_FILES; i++) {
      write("f" + i + ".yaml", "");
    }

    assertThat(problems())
        .singleElement()
        .asString()
        .endsWith("the catalogue directory has more than 500 YAML files");
  }

  @Test
  void the_catalogue_is_empty_before_the_first_reload() {
    assertThat(files.current().effects()).isEmpty();
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private Catalogue reloaded() {
    assertThat(files.reload()).isInstanceOf(Reloaded.class);
    return files.current();
  }

  private List<String> problems() {
    assertThat(files.reload()).isInstanceOf(Rejected.class);
    return files.reload() instanceof Rejected(List<CatalogueProblem> problems)
        ? problems.stream().map(CatalogueProblem::toString).toList()
        : List.of();
  }
}
