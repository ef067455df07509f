package dev.millrace.server.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ThumbnailsTest {

  private final Thumbnails thumbnails = new Thumbnails();

  @ParameterizedTest
  @CsvSource({
    "1000, 500, 320, 160",
    "500, 1000, 160, 320",
    "320, 320, 320, 320",
    "321, 321, 320, 320",
    "3000, 2000, 320, 213",
    "100, 50, 100, 50",
    "1, 1, 1, 1",
    "5000, 1, 320, 1",
    "1, 5000, 1, 320",
  })
  void the_long_side_is_320_and_nothing_is_enlarged(
      int width, int height, int smallWidth, int smallHeight) throws IOException {
    Picture picture = look(Pictures.png(width, height), MediaType.PNG).orElseThrow();
    assertThat(picture.width()).isEqualTo(width);
    assertThat(picture.height()).isEqualTo(height);
    BufferedImage small = decode(picture.thumbnail().orElseThrow());
    assertThat(small.getWidth()).isEqualTo(smallWidth);
    assertThat(small.getHeight()).isEqualTo(smallHeight);
  }

  @Test
  void a_thumbnail_shows_what_the_original_shows() throws IOException {
    for (int width : new int[] {200, 4000}) {
      Picture picture = look(Pictures.png(width, width / 2), MediaType.PNG).orElseThrow();
      BufferedImage small = decode(picture.thumbnail().orElseThrow());
      int row = small.getHeight() / 2;
      assertThat(redOf(small.getRGB(small.getWidth() / 4, row))).isGreaterThan(240);
      assertThat(redOf(small.getRGB(small.getWidth() * 3 / 4, row))).isLessThan(15);
    }
  }

  @Test
  void what_is_opaque_becomes_jpeg_and_what_is_not_becomes_png() throws IOException {
    byte[] opaque = Pictures.encoded(900, 900, BufferedImage.TYPE_INT_RGB, "png");
    byte[] transparent = Pictures.encoded(900, 900, BufferedImage.TYPE_INT_ARGB, "png");
    assertThat(typeOf(look(opaque, MediaType.PNG))).isEqualTo(MediaType.JPEG);
    assertThat(typeOf(look(transparent, MediaType.PNG))).isEqualTo(MediaType.PNG);
  }

  @ParameterizedTest
  @CsvSource({"jpg, JPEG", "gif, GIF"})
  void other_formats_are_read_too(String format, MediaType type) throws IOException {
    byte[] file = Pictures.encoded(800, 600, BufferedImage.TYPE_INT_RGB, format);
    Picture picture = look(file, type).orElseThrow();
    assertThat(picture.width()).isEqualTo(800);
    assertThat(picture.thumbnail().orElseThrow().height()).isEqualTo(240);
  }

  @Test
  void a_gray_picture_has_a_thumbnail() throws IOException {
    byte[] gray = Pictures.encoded(800, 600, BufferedImage.TYPE_BYTE_GRAY, "png");
    assertThat(look(gray, MediaType.PNG).orElseThrow().thumbnail()).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "8001, 8000",
    "32769, 1",
    "1, 32769",
    "100000, 100000",
    "2147483647, 2147483647",
    "65536, 65536",
  })
  void a_picture_that_claims_too_much_is_never_decoded(int width, int height) {
    byte[] bytes = Pictures.claiming(width, height, new byte[5_000_000]);
    ByteArrayInputStream file = new ByteArrayInputStream(bytes);
    Picture picture = thumbnails.of(file, MediaType.PNG).orElseThrow();
    assertThat(picture).isEqualTo(new Picture(width, height, null));
    assertThat(bytes.length - file.available()).isLessThan(100_000);
  }

  @Test
  void a_bomb_within_the_limits_is_decoded_in_little_memory() {
    byte[] bomb = Pictures.claiming(8000, 8000, Pictures.deflatedZeros(8000L * 24001));
    assertThat(bomb.length).isLessThan(400_000);
    long before = allocatedBytes();
    Picture picture = look(bomb, MediaType.PNG).orElseThrow();
    assertThat(allocatedBytes() - before).isLessThan(64L << 20);
    assertThat(picture.thumbnail().orElseThrow().width()).isEqualTo(320);
  }

  @Test
  void compressed_metadata_is_not_unpacked() throws IOException {
    byte[] good = Pictures.png(400, 400);
    int afterHeader = 8 + 25;
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(good, 0, afterHeader);
    // Whoever tried to unpack this would fail.
    file.writeBytes(Pictures.chunk("zTXt", "k\0\0not compressed".getBytes(UTF_8)));
    file.write(good, afterHeader, good.length - afterHeader);
    assertThat(look(file.toByteArray(), MediaType.PNG).orElseThrow().thumbnail()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void garbage_is_no_picture_and_no_exception(MediaType type) throws IOException {
    Random random = new Random(42);
    byte[] noise = new byte[5000];
    random.nextBytes(noise);
    assertThat(look(noise, type)).isEmpty();
    assertThat(look(new byte[0], type)).isEmpty();
    assertThat(look("<html>".getBytes(UTF_8), type)).isEmpty();
    assertThat(look(Pictures.PNG_SIGNATURE, type)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"png, PNG", "jpg, JPEG", "gif, GIF"})
  void no_damage_makes_it_throw(String format, MediaType type) throws IOException {
    byte[] good = Pictures.encoded(64, 64, BufferedImage.TYPE_INT_RGB, format);
    Random random = new Random(7);
    for (int i = 0; i < 1500; i++) {
      byte[] damaged = Arrays.copyOf(good, 1 + random.nextInt(good.length));
      for (int hits = random.nextInt(4); hits > 0; hits--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      assertThat(look(damaged, type)).isNotNull();
    }
  }

  @Test
  void a_cut_picture_still_tells_its_size() throws IOException {
    byte[] good = Pictures.png(640, 480);
    Picture picture = look(Arrays.copyOf(good, 60), MediaType.PNG).orElseThrow();
    assertThat(picture).isEqualTo(new Picture(640, 480, null));
  }

  @Test
  void a_source_that_fails_is_no_picture_and_no_exception() throws IOException {
    InputStream failing = InputStream.nullInputStream();
    failing.close();
    assertThat(thumbnails.of(failing, MediaType.PNG)).isEmpty();
  }

  private Optional<Picture> look(byte[] file, MediaType type) {
    return thumbnails.of(new ByteArrayInputStream(file), type);
  }

  private static MediaType typeOf(Optional<Picture> picture) {
    return picture.flatMap(Picture::thumbnail).orElseThrow().type();
  }

  private static BufferedImage decode(Thumbnail thumbnail) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    thumbnail.content().writeTo(bytes);
    assertThat(Magic.fits(thumbnail.type(), bytes.toByteArray())).isTrue();
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(bytes.toByteArray()));
    assertThat(image).isNotNull();
    return image;
  }

  /** What this thread has allocated so far; unlike free memory, no collector changes it. */
  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  private static int redOf(int rgb) {
    return (rgb >> 16) & 0xff;
  }
}
