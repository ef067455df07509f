package dev.millrace.storage.picture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.storage.MediaType;
import dev.millrace.storage.output.Magic;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.event.IIOReadProgressListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ThumbnailsTest {

  /** On this thread, and however slow the machine is. */
  private final Thumbnails thumbnails =
      new Thumbnails(Runnable::run, new PictureTurns(1), Duration.ofHours(1));

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
  void the_process_has_threads_for_it() throws IOException {
    InputStream file = new ByteArrayInputStream(Pictures.png(9, 9));
    assertThat(new Thumbnails().of(file, MediaType.PNG, budget()).orElseThrow().width())
        .isEqualTo(9);
  }

  @Test
  void a_gray_picture_has_a_thumbnail() throws IOException {
    byte[] gray = Pictures.encoded(800, 600, BufferedImage.TYPE_BYTE_GRAY, "png");
    assertThat(look(gray, MediaType.PNG).orElseThrow().thumbnail()).isPresent();
  }

  @ParameterizedTest
  @CsvSource({"8001, 8000", "32769, 1", "1, 32769"})
  void a_picture_that_claims_too_much_is_never_decoded(int width, int height) {
    // A decoder without limits would make a thumbnail of each of these.
    byte[] good =
        Pictures.claiming(width, height, Pictures.deflatedZeros((width * 3L + 1) * height));
    assertThat(look(good, MediaType.PNG)).contains(new Picture(width, height, null));
  }

  @ParameterizedTest
  @CsvSource({"100000, 100000", "2147483647, 2147483647", "65536, 65536"})
  void of_a_picture_that_claims_too_much_only_the_header_is_read(int width, int height) {
    byte[] bytes = Pictures.claiming(width, height, new byte[5_000_000]);
    ByteArrayInputStream file = new ByteArrayInputStream(bytes);
    assertThat(thumbnails.of(file, MediaType.PNG, budget()))
        .contains(new Picture(width, height, null));
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
  void of_one_pass_after_another_only_as_many_are_read_as_the_picture_is_worth() throws Exception {
    for (int side : new int[] {100, 8_000}) {
      byte[] bomb = Pictures.inPasses(side, 1_000);
      byte[] cut = new FirstPasses(new ByteArrayInputStream(bomb)).readAllBytes();
      assertThat(passes(cut)).isEqualTo(Thumbnails.mostPasses((long) side * side));
      assertThat(Arrays.copyOf(bomb, cut.length)).isEqualTo(cut);
    }
    assertThat(Thumbnails.mostPasses(64_000_000)).isEqualTo(6);
    byte[] good = Pictures.progressive(1000);
    assertThat(new FirstPasses(new ByteArrayInputStream(good)).readAllBytes()).isEqualTo(good);
  }

  private static long passes(byte[] file) {
    long passes = 0;
    for (int i = 1; i < file.length; i++) {
      passes += file[i - 1] == (byte) 0xff && file[i] == (byte) 0xda ? 1 : 0;
    }
    return passes;
  }

  @Test
  void of_a_picture_in_thousands_of_passes_only_the_first_are_decoded() throws IOException {
    byte[] bomb = Pictures.inPasses(1000, 20_000);
    ByteArrayInputStream file = new ByteArrayInputStream(bomb);
    Picture picture = thumbnails.of(file, MediaType.JPEG, budget()).orElseThrow();
    assertThat(picture.thumbnail().orElseThrow().width()).isEqualTo(320);
    assertThat(file.available()).isGreaterThan(bomb.length / 2);
  }

  /** A decoder holds such a picture as a whole, outside of the heap. */
  @Test
  void a_large_picture_in_passes_is_not_decoded_and_one_that_comes_at_once_is() throws IOException {
    byte[] inPasses = claiming(6_000, 5_000, Pictures.progressive(64));
    byte[] atOnce =
        claiming(6_000, 5_000, Pictures.encoded(64, 64, BufferedImage.TYPE_INT_RGB, "jpg"));
    assertThat(look(inPasses, MediaType.JPEG)).contains(new Picture(6_000, 5_000, null));
    assertThat(look(atOnce, MediaType.JPEG).orElseThrow().thumbnail()).isPresent();
  }

  @Test
  void a_pass_for_each_colour_makes_a_picture_one_that_is_held_whole() throws IOException {
    byte[] atOnce = Pictures.encoded(64, 64, BufferedImage.TYPE_INT_RGB, "jpg");
    byte[] oneColour = atOnce.clone();
    oneColour[indexOf(oneColour, 0xda) + 4] = 1;
    assertThat(heldWhole(atOnce)).isFalse();
    assertThat(heldWhole(oneColour)).isTrue();
    assertThat(heldWhole(Pictures.progressive(64))).isTrue();
  }

  private static boolean heldWhole(byte[] file) throws IOException {
    FirstPasses passes = new FirstPasses(new ByteArrayInputStream(file));
    assertThat(passes.readAllBytes()).isNotEmpty();
    return passes.heldWhole();
  }

  /** The same file with other numbers in its frame. */
  private static byte[] claiming(int width, int height, byte[] jpeg) {
    int frame = indexOf(jpeg, 0xc0) >= 0 ? indexOf(jpeg, 0xc0) : indexOf(jpeg, 0xc2);
    ByteBuffer.wrap(jpeg).putShort(frame + 5, (short) height).putShort(frame + 7, (short) width);
    return jpeg;
  }

  /** Where a marker is; -1 if there is none. */
  private static int indexOf(byte[] file, int marker) {
    for (int i = 0; i + 1 < file.length; i++) {
      if (file[i] == (byte) 0xff && file[i + 1] == (byte) marker) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void a_picture_in_the_usual_passes_is_decoded_as_a_whole() throws IOException {
    Picture picture = look(Pictures.progressive(1000), MediaType.JPEG).orElseThrow();
    BufferedImage small = decode(picture.thumbnail().orElseThrow());
    assertThat(redOf(small.getRGB(80, 160))).isGreaterThan(240);
    assertThat(redOf(small.getRGB(240, 160))).isLessThan(15);
  }

  @ParameterizedTest
  @CsvSource({"png, PNG", "jpg, JPEG", "gif, GIF"})
  void a_picture_whose_time_is_over_is_decoded_no_further(String format, MediaType type)
      throws IOException {
    byte[] good = Pictures.encoded(800, 600, BufferedImage.TYPE_INT_RGB, format);
    ImageReader reader = ImageIO.getImageReadersByMIMEType(type.essence()).next();
    PictureDecoding decoding =
        new PictureDecoding(
            reader,
            new ByteArrayInputStream(good),
            type,
            PictureDecoding.Wanted.THUMBNAIL,
            Duration.ofDays(1));
    reader.addIIOReadProgressListener(
        (IIOReadProgressListener)
            Proxy.newProxyInstance(
                ThumbnailsTest.class.getClassLoader(),
                new Class<?>[] {IIOReadProgressListener.class},
                (_, method, _) -> {
                  if (method.getName().equals("imageStarted")) {
                    decoding.stop();
                  }
                  return null;
                }));
    assertThat(decoding.run()).contains(new Picture(800, 600, null));
  }

  @Test
  void nobody_waits_for_a_decoder_that_does_not_stop_and_no_second_one_begins() throws Exception {
    PictureTurns turn = new PictureTurns(1);
    CountDownLatch release = new CountDownLatch(1);
    Executor stuck = task -> Thread.ofPlatform().daemon().start(after(release, task));
    Thumbnails slow = new Thumbnails(stuck, turn, Duration.ofMillis(1));
    InputStream file = new ByteArrayInputStream(Pictures.png(9, 9));
    assertThat(slow.of(file, MediaType.PNG, budget())).isEmpty();
    assertThat(turn.free()).isZero();
    release.countDown();
    assertThat(turn.take("somebody", Duration.ofMinutes(1))).isTrue();
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
    assertThat(look(Pictures.pngSignature(), type)).isEmpty();
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
    assertThat(thumbnails.of(failing, MediaType.PNG, budget())).isEmpty();
  }

  private static Runnable after(CountDownLatch release, Runnable task) {
    return () -> {
      try {
        release.await();
        task.run();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    };
  }

  private static PictureBudget budget() {
    return new PictureBudget("somebody", Duration.ofHours(1), System::nanoTime);
  }

  private Optional<Picture> look(byte[] file, MediaType type) {
    return thumbnails.of(new ByteArrayInputStream(file), type, budget());
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
