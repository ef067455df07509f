package dev.millrace.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.sketch.painter.Style;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What comes out when all goes well. */
class SketchPictureTest {

  @ParameterizedTest
  @EnumSource(Style.class)
  void the_same_request_gives_the_same_bytes(Style style) {
    Desk one = Desk.asking("a red fox and an owl in the snow").with("style", style.label());
    Desk two = Desk.asking("a red fox and an owl in the snow").with("style", style.label());

    assertThat(one.picture()).isEqualTo(two.picture());
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void another_prompt_or_seed_gives_another_picture(Style style) {
    byte[] picture = Desk.asking("a whale").with("style", style.label()).with("seed", 7).picture();

    assertThat(Desk.asking("a whale").with("style", style.label()).with("seed", 8).picture())
        .isNotEqualTo(picture);
    assertThat(Desk.asking("a deer").with("style", style.label()).with("seed", 7).picture())
        .isNotEqualTo(picture);
  }

  @Test
  void words_nobody_taught_it_still_change_the_picture() {
    byte[] one = Desk.asking("a zorblatt fox").with("seed", 7).picture();
    byte[] other = Desk.asking("a quimbly fox").with("seed", 7).picture();

    assertThat(one).isNotEqualTo(other);
  }

  @Test
  void every_style_draws_its_own_picture() {
    List<String> pictures =
        List.of(Style.values()).stream()
            .map(style -> Desk.asking("a cat").with("style", style.label()).picture())
            .map(bytes -> Long.toHexString(java.util.Arrays.hashCode(bytes)))
            .distinct()
            .toList();

    assertThat(pictures).hasSameSizeAs(Style.values());
  }

  @ParameterizedTest
  @CsvSource({
    "poster,256,2048",
    "papercut,600,256",
    "botanical,2048,256",
    "night,300,900",
    "bauhaus,900,300",
    "bauhaus,256,2048",
    "flow,320,256"
  })
  void the_picture_has_the_size_that_was_asked_for(String style, int width, int height)
      throws IOException {
    Desk desk =
        Desk.asking("a boat on the sea")
            .with("style", style)
            .with("width", width)
            .with("height", height);

    BufferedImage image = decode(desk.picture());

    assertThat(image.getWidth()).isEqualTo(width);
    assertThat(image.getHeight()).isEqualTo(height);
  }

  @Test
  void without_a_size_it_is_1024_square_and_without_a_style_a_poster() throws IOException {
    Desk desk = Desk.asking("a quiet hill").without("width").without("height");

    Output output = desk.outputs().getFirst();

    BufferedImage image = decode(Desk.bytes(output));
    assertThat(image.getWidth()).isEqualTo(1024);
    assertThat(image.getHeight()).isEqualTo(1024);
    assertThat(output.name()).isEqualTo("quiet-hill-poster-1.png");
  }

  @Test
  void each_variant_is_its_own_picture_under_its_own_name() {
    List<Output> outputs = Desk.asking("A red fox!").with("variants", 4).outputs();

    assertThat(outputs)
        .extracting(Output::name)
        .containsExactly(
            "red-fox-poster-1.png",
            "red-fox-poster-2.png",
            "red-fox-poster-3.png",
            "red-fox-poster-4.png");
    assertThat(outputs).extracting(Output::mediaType).containsOnly("image/png");
    assertThat(outputs.stream().map(Desk::bytes).map(java.util.Arrays::hashCode).distinct())
        .hasSize(4);
  }

  @Test
  void the_first_variant_is_the_picture_one_gets_alone() {
    Output first = Desk.asking("a bear").with("seed", 5).with("variants", 2).outputs().getFirst();

    assertThat(Desk.bytes(first)).isEqualTo(Desk.asking("a bear").with("seed", 5).picture());
  }

  @Test
  void an_output_writes_the_same_bytes_each_time_it_is_asked() {
    Output output = Desk.asking("a bear").outputs().getFirst();

    assertThat(Desk.bytes(output)).isEqualTo(Desk.bytes(output));
  }

  @Test
  void the_summary_tells_how_to_draw_it_again() {
    Outcome.Succeeded drawn = (Outcome.Succeeded) Desk.asking("a bear").run();
    Object seed = Objects.requireNonNull(drawn.summary().get("seed"));

    assertThat(drawn.summary())
        .isEqualTo(Map.of("style", "poster", "seed", seed, "variants", 1, "delivered", 1));
    assertThat(Desk.asking("a bear").with("seed", seed).picture())
        .isEqualTo(Desk.bytes(drawn.outputs().getFirst()));
  }

  @Test
  void a_red_fox_makes_the_poster_red_and_a_blue_one_blue() throws IOException {
    double[] red = mean(decode(Desk.asking("a red fox").picture()));
    double[] blue = mean(decode(Desk.asking("a blue fox").picture()));

    assertThat(red[0]).isGreaterThan(red[2] * 1.3);
    assertThat(blue[2]).isGreaterThan(blue[0] * 1.05);
  }

  private static double[] mean(BufferedImage image) {
    double[] sum = new double[3];
    int count = image.getWidth() * image.getHeight();
    for (int i = 0; i < count; i++) {
      int rgb = image.getRGB(i % image.getWidth(), i / image.getWidth());
      sum[0] += (double) ((rgb >> 16) & 255) / count;
      sum[1] += (double) ((rgb >> 8) & 255) / count;
      sum[2] += (double) (rgb & 255) / count;
    }
    return sum;
  }

  private static BufferedImage decode(byte[] png) throws IOException {
    return Objects.requireNonNull(ImageIO.read(new ByteArrayInputStream(png)));
  }
}
