package dev.millrace.worker.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.worker.media.Metadata.Outcome;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tells how a file was made goes, and what is shown or heard stays to the bit. */
class MetadataTest {

  private static final String GRAPH = "{\"6\": {\"inputs\": {\"text\": \"graph-canary\"}}}";
  private static final byte[] PIXELS = ascii("these are the pixels");

  @TempDir private Path folder;

  @Test
  void a_png_loses_every_text_and_keeps_its_picture() throws IOException {
    byte[] plain = drawn("png");
    ByteArrayOutputStream with = new ByteArrayOutputStream();
    with.write(plain, 0, 33);
    chunk(with, "tEXt", "prompt\0" + GRAPH);
    chunk(with, "zTXt", "workflow\0\0" + GRAPH);
    chunk(with, "iTXt", "workflow\0\0\0\0\0" + GRAPH);
    chunk(with, "eXIf", GRAPH);
    chunk(with, "comf", GRAPH);
    with.write(plain, 33, plain.length - 33);
    with.writeBytes(ascii(GRAPH));
    Path file = file(with.toByteArray());
    assertThat(Metadata.remove(file)).isEqualTo(Outcome.REMOVED);
    assertThat(Files.readAllBytes(file)).isEqualTo(plain);
    assertThat(ImageIO.read(file.toFile()).getRGB(3, 4)).isEqualTo(picture().getRGB(3, 4));
  }

  @Test
  void a_jpeg_loses_exif_and_comments_and_keeps_its_picture() throws IOException {
    byte[] plain = drawn("jpg");
    ByteArrayOutputStream with = new ByteArrayOutputStream();
    with.write(plain, 0, 2);
    segment(with, 0xe1, "Exif\0\0" + GRAPH);
    segment(with, 0xed, GRAPH);
    segment(with, 0xfe, GRAPH);
    with.write(plain, 2, plain.length - 2);
    Path file = file(with.toByteArray());
    assertThat(Metadata.remove(file)).isEqualTo(Outcome.REMOVED);
    assertThat(Files.readAllBytes(file)).isEqualTo(plain);
  }

  @Test
  void a_gif_loses_comments_and_still_loops() throws IOException {
    byte[] plain = drawn("gif");
    int colours = 13 + (3 << ((plain[10] & 7) + 1));
    ByteArrayOutputStream with = new ByteArrayOutputStream();
    with.write(plain, 0, colours);
    with.writeBytes(ascii("!\u00ff\u000bNETSCAPE2.0\3\1\0\0\0"));
    with.writeBytes(ascii("!\u00fe" + (char) GRAPH.length() + GRAPH + "\0"));
    with.write(plain, colours, plain.length - colours);
    Path file = file(with.toByteArray());
    assertThat(Metadata.remove(file)).isEqualTo(Outcome.REMOVED);
    String bare = read(file);
    assertThat(bare).contains("NETSCAPE").doesNotContain("canary");
    assertThat(bare.length()).isEqualTo(plain.length + 19);
    assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(16);
  }

  @Test
  void a_webp_loses_exif_and_xmp_and_no_longer_says_that_it_has_them() throws IOException {
    ByteArrayOutputStream chunks = new ByteArrayOutputStream();
    riff(chunks, "VP8X", new byte[] {0x1c, 0, 0, 0, 1, 0, 0, 1, 0, 0});
    riff(chunks, "VP8L", Arrays.copyOf(PIXELS, 19));
    riff(chunks, "EXIF", ascii(GRAPH));
    riff(chunks, "XMP ", ascii(GRAPH));
    Path file = file(webp(chunks.toByteArray()));
    assertThat(Metadata.remove(file)).isEqualTo(Outcome.REMOVED);
    ByteArrayOutputStream left = new ByteArrayOutputStream();
    riff(left, "VP8X", new byte[] {0x10, 0, 0, 0, 1, 0, 0, 1, 0, 0});
    riff(left, "VP8L", Arrays.copyOf(PIXELS, 19));
    assertThat(Files.readAllBytes(file)).isEqualTo(webp(left.toByteArray()));
  }

  @Test
  void a_video_loses_its_comment_and_nothing_in_it_moves() throws IOException {
    byte[] tags = box("udta", box("meta", ascii("\0\0\0\0" + GRAPH)));
    byte[] moov =
        box(
            "moov",
            join(
                box("mvhd", PIXELS),
                box("trak", join(box("tkhd", PIXELS), tags)),
                tags,
                box("meta", ascii(GRAPH))));
    byte[] video = join(box("ftyp", ascii("isom\0\0\2\0")), moov, box("mdat", PIXELS));
    Path file = file(video);
    assertThat(Metadata.remove(file)).isEqualTo(Outcome.REMOVED);
    assertThat(read(file)).doesNotContain("canary").hasSize(video.length);
    assertThat(read(file).indexOf("mdat")).isEqualTo(latin1(video).indexOf("mdat"));
    assertThat(read(file)).contains("free").contains("these are the pixels");
  }

  @Test
  void a_webm_loses_its_tags_and_title_and_nothing_in_it_moves() throws IOException {
    byte[] info =
        element(0x1549A966, join(element(0x7BA9, ascii(GRAPH)), element(0x2AD7B1, PIXELS)));
    byte[] segment =
        element(
            0x18538067, join(info, element(0x1254C367, ascii(GRAPH)), element(0x1F43B675, PIXELS)));
    byte[] video = join(element(0x1A45DFA3, ascii("webm header")), segment);
    Path file = file(video);
    assertThat(Metadata.remove(file)).isEqualTo(Outcome.REMOVED);
    assertThat(read(file)).doesNotContain("canary").hasSize(video.length);
    assertThat(read(file)).endsWith("these are the pixels").contains("webm header");
  }

  @Test
  void audio_loses_its_comments() throws IOException {
    byte[] comment = ascii(GRAPH);
    byte[] flac =
        join(
            ascii("fLaC"),
            new byte[] {0, 0, 0, 4, 1, 2, 3, 4, (byte) 0x84, 0, 0},
            new byte[] {(byte) comment.length},
            comment,
            PIXELS);
    Path file = file(flac);
    assertThat(Metadata.remove(file)).isEqualTo(Outcome.REMOVED);
    assertThat(read(file)).doesNotContain("canary").hasSize(flac.length).endsWith("the pixels");
    byte[] mp3 =
        join(ascii("ID3\4\0\0\0\0\0"), new byte[] {(byte) comment.length}, comment, PIXELS);
    Path other = file(mp3);
    assertThat(Metadata.remove(other)).isEqualTo(Outcome.REMOVED);
    assertThat(read(other)).doesNotContain("canary").hasSize(mp3.length).endsWith("the pixels");
  }

  @Test
  void what_is_cut_off_or_nonsense_stays_as_it_is() throws IOException {
    byte[] png = drawn("png");
    List<byte[]> kinds =
        List.of(
            png,
            drawn("jpg"),
            drawn("gif"),
            webp(ascii("VP8 \4\0\0\0abcd")),
            join(box("ftyp", ascii("isom\0\0\2\0")), box("moov", box("udta", PIXELS))),
            join(element(0x1A45DFA3, ascii("webm")), element(0x18538067, PIXELS)),
            join(ascii("fLaC"), new byte[] {4, 0, 0, 10}, PIXELS),
            join(ascii("ID3\4\0\0\0\0\0\5"), PIXELS));
    Random random = new Random(7);
    for (byte[] kind : kinds) {
      for (int i = 0; i < 200; i++) {
        byte[] broken = Arrays.copyOf(kind, 12 + random.nextInt(kind.length + 20));
        int at = 12 + random.nextInt(Math.max(1, broken.length - 12));
        if (at < broken.length) {
          broken[at] = (byte) random.nextInt(256);
        }
        Path file = file(broken);
        if (Metadata.remove(file) != Outcome.REMOVED) {
          assertThat(Files.readAllBytes(file)).isEqualTo(broken);
        }
        assertThat(Files.exists(file.resolveSibling(file.getFileName() + ".bare"))).isFalse();
      }
    }
    assertThat(Metadata.remove(file(ascii("just some text that is no picture"))))
        .isEqualTo(Outcome.UNKNOWN_KIND);
    assertThat(Metadata.remove(file(new byte[0]))).isEqualTo(Outcome.UNKNOWN_KIND);
  }

  private Path file(byte[] content) throws IOException {
    return Files.write(Files.createTempFile(folder, "output-", ""), content);
  }

  private static String read(Path file) throws IOException {
    return latin1(Files.readAllBytes(file));
  }

  private static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static BufferedImage picture() {
    BufferedImage image = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < 256; i++) {
      image.setRGB(i % 16, i / 16, i * 65_793 / 2);
    }
    return image;
  }

  private static byte[] drawn(String format) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(picture(), format, out);
    return out.toByteArray();
  }

  private static void chunk(ByteArrayOutputStream out, String type, String data) {
    CRC32 sum = new CRC32();
    sum.update(ascii(type + data));
    out.writeBytes(ByteBuffer.allocate(4).putInt(data.length()).array());
    out.writeBytes(ascii(type + data));
    out.writeBytes(ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
  }

  private static void segment(ByteArrayOutputStream out, int marker, String data) {
    out.write(0xff);
    out.write(marker);
    out.writeBytes(ByteBuffer.allocate(2).putShort((short) (data.length() + 2)).array());
    out.writeBytes(ascii(data));
  }

  private static void riff(ByteArrayOutputStream out, String type, byte[] data) {
    out.writeBytes(ascii(type));
    out.writeBytes(little(data.length));
    out.writeBytes(Arrays.copyOf(data, data.length + data.length % 2));
  }

  private static byte[] webp(byte[] chunks) {
    return join(ascii("RIFF"), little(chunks.length + 4), ascii("WEBP"), chunks);
  }

  private static byte[] little(int number) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }

  private static byte[] box(String type, byte[] data) {
    return join(ByteBuffer.allocate(4).putInt(data.length + 8).array(), ascii(type), data);
  }

  private static byte[] element(int id, byte[] data) {
    byte[] name = ByteBuffer.allocate(4).putInt(id).array();
    int zeros = Integer.numberOfLeadingZeros(id) / 8;
    return join(
        Arrays.copyOfRange(name, zeros, 4),
        ByteBuffer.allocate(2).putShort((short) (0x4000 | data.length)).array(),
        data);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
