package dev.millrace.storage.output;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.storage.MediaType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MagicTest {

  private static final Set<MediaType> PLAIN =
      EnumSet.of(MediaType.TEXT, MediaType.MARKDOWN, MediaType.CSV, MediaType.HTML);

  static List<Arguments> heads() {
    return List.of(
        Arguments.of("\u0089PNG\r\n\u001a\n\0\0\0\rIHDR", MediaType.PNG),
        Arguments.of("\u00ff\u00d8\u00ff\u00e0\0\u0010JFIF", MediaType.JPEG),
        Arguments.of("RIFF\u0001\0\0\0WEBPVP8 ", MediaType.WEBP),
        Arguments.of("RIFF\u0001\0\0\0WAVEfmt ", MediaType.WAV),
        Arguments.of("GIF89a\u0001\0\u0001\0", MediaType.GIF),
        Arguments.of("GIF87a\u0001\0\u0001\0", MediaType.GIF),
        Arguments.of("\0\0\0 ftypisom\0\0\u0002\0", MediaType.MP4),
        Arguments.of("\u001aE\u00df\u00a3\u0001\0\0\0", MediaType.WEBM),
        Arguments.of("ID3\u0004\0\0\0\0", MediaType.MP3),
        Arguments.of("\u00ff\u00fb\u0090d\0", MediaType.MP3),
        Arguments.of("OggS\0\u0002", MediaType.OGG),
        Arguments.of("fLaC\0\0\0\u0001", MediaType.FLAC),
        Arguments.of("%PDF-1.7\n%\u00e2\u00e3\u00cf", MediaType.PDF),
        Arguments.of("PK\u0003\u0004\u0014\0", MediaType.ZIP),
        Arguments.of("glTF\u0002\0\0\0", MediaType.GLB));
  }

  @ParameterizedTest
  @MethodSource("heads")
  void a_binary_file_is_of_its_own_type_and_no_other(String head, MediaType own) {
    List<MediaType> fitting = new ArrayList<>();
    for (MediaType type : MediaType.values()) {
      if (Magic.fits(type, head.getBytes(ISO_8859_1))) {
        fitting.add(type);
      }
    }
    assertThat(fitting).containsExactlyInAnyOrder(own, MediaType.BINARY);
  }

  @Test
  void nothing_that_has_a_signature_fits_an_empty_or_short_file() {
    for (MediaType type : MediaType.values()) {
      boolean mayBeEmpty = PLAIN.contains(type) || type == MediaType.BINARY;
      assertThat(Magic.fits(type, new byte[0])).describedAs("%s", type).isEqualTo(mayBeEmpty);
      assertThat(Magic.fits(type, new byte[] {'R'}) && !mayBeEmpty)
          .describedAs("%s", type)
          .isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", " \n [1]", "\"a\"", "-1", "42", "true", "false", "null", "\ufeff{}"})
  void json_starts_as_json(String json) {
    assertThat(Magic.fits(MediaType.JSON, json.getBytes(UTF_8))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "<html>", "Hello", "{\0}"})
  void other_text_is_not_json(String text) {
    assertThat(Magic.fits(MediaType.JSON, text.getBytes(UTF_8))).isFalse();
  }

  @Test
  void svg_is_xml_with_an_svg_element() {
    assertThat(Magic.fits(MediaType.SVG, "<svg/>".getBytes(UTF_8))).isTrue();
    assertThat(Magic.fits(MediaType.SVG, "<?xml version='1.0'?><svg/>".getBytes(UTF_8))).isTrue();
    assertThat(Magic.fits(MediaType.SVG, "<html>".getBytes(UTF_8))).isFalse();
    assertThat(Magic.fits(MediaType.SVG, "see <svg".getBytes(UTF_8))).isFalse();
  }

  @Test
  void text_is_utf_8_without_nul() {
    assertThat(Magic.fits(MediaType.TEXT, "Mühle \ud83c\udf0a\n".getBytes(UTF_8))).isTrue();
    assertThat(Magic.fits(MediaType.TEXT, "Mühle".getBytes(ISO_8859_1))).isFalse();
    assertThat(Magic.fits(MediaType.TEXT, "a\0b".getBytes(UTF_8))).isFalse();
    assertThat(Magic.fits(MediaType.TEXT, new byte[] {'a', (byte) 0xc3})).isFalse();
  }

  @Test
  void a_table_may_be_written_as_spreadsheets_do() {
    assertThat(Magic.fits(MediaType.CSV, "Mühle;Köln\r\n".getBytes(ISO_8859_1))).isTrue();
    assertThat(Magic.fits(MediaType.CSV, "\ufeffMühle".getBytes(UTF_16LE))).isTrue();
    assertThat(Magic.fits(MediaType.CSV, "\ufeffMühle".getBytes(UTF_16BE))).isTrue();
    assertThat(Magic.fits(MediaType.CSV, "M\u00fchle\0".getBytes(ISO_8859_1))).isFalse();
  }

  @Test
  void a_character_cut_by_the_end_of_the_head_is_forgiven() {
    byte[] head = "ü".repeat(Magic.HEAD_BYTES).getBytes(UTF_8);
    byte[] shifted = new byte[Magic.HEAD_BYTES];
    shifted[0] = 'a';
    System.arraycopy(head, 0, shifted, 1, shifted.length - 1);
    assertThat(Magic.fits(MediaType.TEXT, shifted)).isTrue();
  }

  @Test
  void a_type_is_found_by_any_spelling_of_its_name() {
    assertThat(MediaType.of("image/png")).contains(MediaType.PNG);
    assertThat(MediaType.of(" Image/PNG ")).contains(MediaType.PNG);
    assertThat(MediaType.of("text/plain; charset=utf-8")).contains(MediaType.TEXT);
    assertThat(MediaType.of("image/jpg")).contains(MediaType.JPEG);
    assertThat(MediaType.of("audio/x-wav")).contains(MediaType.WAV);
    assertThat(MediaType.of("application/x-msdownload")).isEmpty();
    assertThat(MediaType.of("")).isEmpty();
  }
}
