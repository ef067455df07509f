package dev.millrace.storage.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.storage.Disposition;
import dev.millrace.storage.MediaType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DownloadNamesTest {

  static List<Arguments> names() {
    return List.of(
        Arguments.of("poster-1.png", "poster-1.png"),
        Arguments.of("Poster.PNG", "Poster.png"),
        Arguments.of("poster", "poster.png"),
        Arguments.of("poster.exe", "poster.exe.png"),
        Arguments.of("Mühle am Bach.png", "Mühle am Bach.png"),
        Arguments.of("Mu\u0308hle.png", "Mühle.png"),
        Arguments.of("../../etc/passwd", "etc_passwd.png"),
        Arguments.of("..\\..\\boot.ini", "boot.ini.png"),
        Arguments.of("/absolute.png", "absolute.png"),
        Arguments.of("C:\\x.png", "C_x.png"),
        Arguments.of(".htaccess", "htaccess.png"),
        Arguments.of("a\r\nSet-Cookie: b", "a_Set-Cookie_ b.png"),
        Arguments.of("a\0.png", "a_.png"),
        Arguments.of("a\"b;c%00.png", "a_b_c_00.png"),
        Arguments.of("gnp\u202egpj.exe", "gnp_gpj.exe.png"),
        Arguments.of("a\ud800b", "a_b.png"),
        Arguments.of("   ", "output.png"),
        Arguments.of("...", "output.png"),
        Arguments.of(".png", "output.png"),
        Arguments.of("///", "output.png"),
        Arguments.of("CON", "output.png"),
        Arguments.of("nul.txt", "output.png"),
        Arguments.of("a   b\t c.png", "a b_ c.png"));
  }

  @ParameterizedTest
  @MethodSource("names")
  void a_suggested_name_is_made_safe(String suggested, String clean) {
    assertThat(DownloadNames.clean(suggested, MediaType.PNG)).isEqualTo(clean);
    assertThat(DownloadNames.clean(clean, MediaType.PNG)).isEqualTo(clean);
  }

  @Test
  void both_extensions_of_jpeg_count_as_its_own() {
    assertThat(DownloadNames.clean("a.jpeg", MediaType.JPEG)).isEqualTo("a.jpg");
    assertThat(DownloadNames.clean("a.jpg", MediaType.JPEG)).isEqualTo("a.jpg");
  }

  @Test
  void a_long_name_is_cut_between_characters() {
    String clean = DownloadNames.clean("a" + "\ud83c\udf0a".repeat(500), MediaType.PNG);
    assertThat(clean.getBytes(UTF_8).length).isBetween(170, 190);
    assertThat(clean).endsWith("\ud83c\udf0a.png");
    assertThat(UTF_8.newEncoder().canEncode(clean)).isTrue();
  }

  @Test
  void a_header_carries_any_name_in_both_forms() {
    assertThat(Disposition.of(false, "Mühle & Rad.png"))
        .isEqualTo(
            "attachment; filename=\"M_hle & Rad.png\"; filename*=UTF-8''M%C3%BChle%20&%20Rad.png");
    assertThat(Disposition.of(true, "a\"b\\c%41\r\n.png"))
        .isEqualTo(
            "inline; filename=\"a_b_c_41__.png\"; filename*=UTF-8''a%22b%5Cc%2541%0D%0A.png");
    assertThat(Disposition.of(true, null)).isEqualTo("inline");
  }
}
