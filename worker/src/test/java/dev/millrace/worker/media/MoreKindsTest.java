package dev.millrace.worker.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.worker.media.Metadata.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sound, models and drawings lose what tells how they were made, and a graph is found anywhere. */
class MoreKindsTest {

  private static final String GRAPH =
      "{\"6\": {\"class_type\": \"X\", \"inputs\": {\"text\": \"graph-canary\"}}}";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"OpusHead", "\1vorbis"})
  void an_ogg_loses_its_comments_over_several_pages_and_keeps_its_sound(String head)
      throws IOException {
    String tags = head.equals("OpusHead") ? "OpusTags" : "\3vorbis";
    String comment = "prompt=" + GRAPH + "x".repeat(70_000);
    byte[] comments =
        latin1(tags + "\4\0\0\0Lavf\1\0\0\0" + latin1(little(comment.length())) + comment + "\1");
    ByteArrayOutputStream ogg = new ByteArrayOutputStream();
    ogg.writeBytes(page(2, 0, latin1(head + " and more"), false));
    byte[] first = Arrays.copyOf(comments, 255 * 255);
    ogg.writeBytes(page(0, 1, first, true));
    ogg.writeBytes(page(1, 2, Arrays.copyOfRange(comments, 255 * 255, comments.length), false));
    byte[] sound = page(4, 3, latin1("these are the sounds"), false);
    ogg.writeBytes(sound);
    Path file = file(ogg.toByteArray());
    assertThat(Metadata.remove(file)).isEqualTo(Outcome.REMOVED);
    byte[] bare = Files.readAllBytes(file);
    assertThat(latin1(bare))
        .hasSize(ogg.size())
        .doesNotContain("canary")
        .contains(tags + "\0\0\0\0\0\0\0\0")
        .endsWith(latin1(sound));
    assertThat(sumsAreRight(bare)).isTrue();
  }

  @Test
  void a_glb_loses_what_its_asset_has_extra_and_nothing_else() throws IOException {
    String json =
        "{\"asset\":{\"extras\":{\"prompt\":\"{}\",\"y\":["
            + GRAPH
            + "]},\"version\":\"2.0\"},\"meshes\":[{\"extras\":{\"targetNames\":[\"smile\"]}}],"
            + "\"number\":1.50e1}  ";
    byte[] chunk = latin1(json);
    byte[] glb =
        join(
            latin1("glTF"),
            little(2),
            little(28 + chunk.length + 8),
            little(chunk.length),
            latin1("JSON"),
            chunk,
            little(8),
            latin1("BIN\0geometry"));
    Path file = file(glb);
    assertThat(Metadata.remove(file)).isEqualTo(Outcome.REMOVED);
    String bare = latin1(Files.readAllBytes(file));
    assertThat(bare).hasSize(glb.length).doesNotContain("canary").endsWith("BIN\0geometry");
    assertThat(bare).contains("1.50e1");
    JsonNode left = JsonMapper.shared().readTree(bare.substring(20, 20 + chunk.length));
    assertThat(left.at("/asset/extras").isEmpty()).isTrue();
    assertThat(left.at("/asset/version").asString()).isEqualTo("2.0");
    assertThat(left.at("/meshes/0/extras/targetNames/0").asString()).isEqualTo("smile");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<metadata><![CDATA[%s </metadata> <metadata>]]></metadata>",
        "<svg:metadata id=\"a>b\"><rdf a=\"1\"/><metadata>%s</metadata></svg:metadata\n>",
        "<!-- %s --><metadata/>",
      })
  void a_drawing_loses_its_metadata_and_comments_and_keeps_its_shapes(String with)
      throws IOException {
    String before = "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 1 1\">";
    String after = "<title>metadata &gt; \u00c3\u00a4</title><path d=\"M0 0\"/></svg>\n";
    Path file = file(latin1(before + with.replace("%s", GRAPH) + after));
    assertThat(Metadata.remove(file)).isEqualTo(Outcome.REMOVED);
    assertThat(latin1(Files.readAllBytes(file))).isEqualTo(before + after);
  }

  @Test
  void what_is_cut_off_or_nonsense_stays_as_it_is() throws IOException {
    byte[] ogg =
        join(
            page(2, 0, latin1("OpusHead and more"), false),
            page(0, 1, latin1("OpusTags\0\0\0\0\0\0\0\0"), false));
    byte[] glb =
        join(
            latin1("glTF\2\0\0\0\0\0\0\0"),
            little(26),
            latin1("JSON{\"asset\":{\"extras\":\"abc\"}}"));
    byte[] svg = latin1("<svg viewBox='0 0 1 1'><metadata>x</metadata><g/></svg>");
    Random random = new Random(7);
    for (byte[] kind : new byte[][] {ogg, glb, svg}) {
      for (int i = 0; i < 300; i++) {
        byte[] broken = Arrays.copyOf(kind, 12 + random.nextInt(kind.length));
        int at = 12 + random.nextInt(broken.length);
        if (at < broken.length) {
          broken[at] = (byte) random.nextInt(256);
        }
        Path file = file(broken);
        if (Metadata.remove(file) != Outcome.REMOVED) {
          assertThat(Files.readAllBytes(file)).isEqualTo(broken);
        }
      }
    }
  }

  @Test
  void a_graph_is_found_wherever_it_is_and_nothing_else_is_taken_for_one() throws IOException {
    String far = "x".repeat(65_530);
    assertThat(GraphTrace.isIn(file(latin1(far + GRAPH)))).isTrue();
    assertThat(GraphTrace.isIn(file(latin1("x" + GRAPH.replace("\"", "\\\""))))).isTrue();
    assertThat(GraphTrace.isIn(file(latin1(GRAPH.replace("\"", "&quot;"))))).isTrue();
    assertThat(GraphTrace.isIn(file((far + GRAPH).getBytes(StandardCharsets.UTF_16LE)))).isTrue();
    assertThat(GraphTrace.isIn(file((far + GRAPH).getBytes(StandardCharsets.UTF_16BE)))).isTrue();
    assertThat(GraphTrace.isIn(file(latin1("cclass_type\"")))).isTrue();
    assertThat(GraphTrace.isIn(file(latin1("the class_type of a node")))).isFalse();
    assertThat(GraphTrace.isIn(file(latin1(far + "class_typ\"")))).isFalse();
    assertThat(GraphTrace.isIn(file(new byte[0]))).isFalse();
  }

  private Path file(byte[] content) throws IOException {
    return Files.write(Files.createTempFile(folder, "output-", ""), content);
  }

  /** A page; of a packet that goes on, all segments are full. */
  private static byte[] page(int flags, int number, byte[] data, boolean goesOn) {
    int segments = goesOn ? data.length / 255 : data.length / 255 + 1;
    byte[] lengths = new byte[segments];
    Arrays.fill(lengths, (byte) 255);
    if (!goesOn) {
      lengths[segments - 1] = (byte) (data.length % 255);
    }
    byte[] page =
        join(
            latin1("OggS\0"),
            new byte[] {(byte) flags},
            new byte[8],
            little(7),
            little(number),
            new byte[4],
            new byte[] {(byte) segments},
            lengths,
            data);
    System.arraycopy(little((int) sum(page)), 0, page, 22, 4);
    return page;
  }

  private static boolean sumsAreRight(byte[] ogg) {
    int pages = 0;
    for (int at = 0; at < ogg.length; pages++) {
      int segments = ogg[at + 26] & 0xff;
      int length = 27 + segments;
      for (int i = 0; i < segments; i++) {
        length += ogg[at + 27 + i] & 0xff;
      }
      byte[] page = Arrays.copyOfRange(ogg, at, at + length);
      byte[] said = Arrays.copyOfRange(page, 22, 26);
      Arrays.fill(page, 22, 26, (byte) 0);
      if (!Arrays.equals(said, little((int) sum(page)))) {
        return false;
      }
      at += length;
    }
    return pages == 4;
  }

  /** Division of polynomials, bit by bit, as the description of Ogg has it. */
  private static long sum(byte[] page) {
    long rest = 0;
    for (byte each : page) {
      for (int bit = 7; bit >= 0; bit--) {
        long top = ((rest >> 31) & 1) ^ ((each >> bit) & 1);
        rest = ((rest << 1) & 0xffffffffL) ^ (top * 0x04c11db7L);
      }
    }
    return rest;
  }

  private static byte[] little(int number) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
