package dev.millrace.contract.digest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DigestTest {

  /** Of FIPS 180-2, appendix B. */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir Path folder;

  @Test
  void a_checksum_is_the_same_whichever_way_the_bytes_come() throws IOException {
    Path file = Files.writeString(folder.resolve("abc"), "abc");
    MessageDigest digest = Sha256.start();
    digest.update("a".getBytes(UTF_8));
    digest.update("bc".getBytes(UTF_8));

    assertThat(Sha256.hex("abc")).isEqualTo(ABC);
    assertThat(Sha256.hex("abc".getBytes(UTF_8))).isEqualTo(ABC);
    assertThat(Sha256.hex(new ByteArrayInputStream("abc".getBytes(UTF_8)))).isEqualTo(ABC);
    assertThat(Sha256.hex(file)).isEqualTo(ABC);
    assertThat(Sha256.hex(digest)).isEqualTo(ABC);
    assertThat(HexFormat.of().formatHex(Sha256.of("abc"))).isEqualTo(ABC);
  }

  @Test
  void a_checksum_is_64_lower_case_digits_and_nothing_else() {
    assertThat(Sha256.isHex(ABC)).isTrue();
    assertThat(Sha256.isHex(ABC.toUpperCase(java.util.Locale.ROOT))).isFalse();
    assertThat(Sha256.isHex(ABC.substring(1))).isFalse();
    assertThat(Sha256.isHex(ABC + "\n")).isFalse();
  }

  /** Of RFC 4231, test case 2. */
  @Test
  void a_signature_is_of_the_head_and_the_body_as_one_message() {
    String expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    byte[] key = "Jefe".getBytes(UTF_8);
    String text = "what do ya want for nothing?";

    assertThat(HexFormat.of().formatHex(HmacSha256.of(key, text))).isEqualTo(expected);
    assertThat(
            HexFormat.of()
                .formatHex(
                    HmacSha256.of(key, text.substring(0, 9), text.substring(9).getBytes(UTF_8))))
        .isEqualTo(expected);
  }

  @Test
  void what_is_compared_is_equal_to_the_last_character() {
    assertThat(ConstantTime.equal("secret", "secret")).isTrue();
    assertThat(ConstantTime.equal("secret", "secreT")).isFalse();
    assertThat(ConstantTime.equal("secret", "secret ")).isFalse();
    assertThat(ConstantTime.equal("", "")).isTrue();
  }
}
