package dev.millrace.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.sketch.canvas.Lettering;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a list of items. */
class SheetTest {

  @Test
  void items_become_one_sheet_and_an_account_of_them() {
    Outcome.Succeeded outcome =
        (Outcome.Succeeded) items("a fox", "a whale").with("skipped", 3).run();

    assertThat(outcome.summary())
        .containsOnly(
            Map.entry("applied", 2),
            Map.entry("failed", 0),
            Map.entry("skipped", 3),
            Map.entry("remaining", 0));
    assertThat(outcome.outputs())
        .extracting(Output::name, Output::mediaType)
        .containsExactly(tuple("contact-sheet.png", "image/png"));
  }

  @Test
  void the_same_items_give_the_same_bytes_and_others_do_not() {
    byte[] sheet = items("a fox", "a whale").picture();

    assertThat(items("a fox", "a whale").picture()).isEqualTo(sheet);
    assertThat(items("a fox", "an owl").picture()).isNotEqualTo(sheet);
    assertThat(items("a fox", "a whale").with("title", "Other").picture()).isNotEqualTo(sheet);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 10, 64})
  void any_number_of_items_fits_on_the_sheet(int count) throws IOException {
    String[] items = IntStream.range(0, count).mapToObj(i -> "item " + i).toArray(String[]::new);

    BufferedImage sheet =
        Objects.requireNonNull(ImageIO.read(new ByteArrayInputStream(items(items).picture())));

    assertThat(sheet.getWidth()).isEqualTo(1600);
    assertThat(sheet.getHeight()).isBetween(800, 2400);
  }

  @Test
  void the_sheet_reports_each_item_and_ends_at_100() {
    Desk desk = items("a fox", "");
    desk.run();

    assertThat(desk.reports())
        .extracting(Desk.Report::message)
        .contains("Drawing item 1 of 2", "Drawing item 2 of 2");
    assertThat(desk.reports().stream().map(Desk.Report::percent).toList())
        .isSortedAccordingTo(Comparator.naturalOrder())
        .endsWith(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 5})
  void a_cancel_ends_the_sheet(int reports) {
    Desk desk = items("a fox", "a whale").canceledAfterReports(reports);

    assertThat(desk.run()).isEqualTo(new Outcome.Canceled());
    assertThat(desk.reports()).hasSize(reports);
  }

  @Test
  void a_title_is_spelt_with_what_there_is_and_cut_to_its_room() {
    assertThat(Lettering.spelt("Müller  &  Söhne", 7, 1000)).isEqualTo("MULLER SOHNE");
    assertThat(Lettering.spelt("日本", 7, 1000)).isEmpty();
    assertThat(Lettering.spelt("abc def", 7, 6 * 4)).isEqualTo("ABC");
  }

  private static Desk items(String... items) {
    return Desk.asking("").without("prompt").with("items", List.of(items));
  }
}
