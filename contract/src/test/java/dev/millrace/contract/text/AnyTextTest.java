package dev.millrace.contract.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever comes in, what goes out can be stored, sent, shown and cleaned again. */
class AnyTextTest {

  private static final int SHORT = 1 << 13;
  private static final int LONG = 1 << 20;
  private static final int MOST_STEPS_PER_CHARACTER = 1_000;

  /** Counts how often somebody looks at a character: that is the time, on any machine. */
  private static final class Counted implements CharSequence {
    private final String text;
    private long looks;

    Counted(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      looks++;
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  static Stream<String> pieces() {
    return Stream.of(
        "a",
        "A",
        "0",
        " ",
        "/",
        "/a",
        "a/",
        "//",
        "\\",
        "\\\\",
        "C:\\",
        "C:\\a ",
        ":",
        "::",
        "1:",
        "a:",
        ".",
        "a.",
        "1.",
        "a.b",
        "-",
        "a-",
        "-a",
        "_",
        "=",
        "a=",
        "=,",
        "=:",
        "@",
        "a@",
        "a:a",
        "a:b@",
        "%",
        "%2F",
        "%3A",
        "\"",
        "'",
        "'/",
        "\"a\":",
        "\"password\":\"",
        "password",
        "password=",
        "password:",
        "password is ",
        "token ",
        "key ",
        "bearer ",
        "Bearer",
        "sk-",
        "sk-a",
        "hf_",
        "mr_",
        "eyJ",
        "eyJaaaaaa.",
        "ya29.",
        "SG.",
        "AKIA",
        "http",
        "http:",
        "http:/",
        "http://",
        "a+",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN ",
        "-----END",
        "-----",
        "tenants/",
        "~/",
        "../",
        "$a/",
        "${a",
        "data:a/a;",
        "file:/",
        "ip-1-1-1-1",
        "i-00000000",
        "localhost:",
        "a-b:1234",
        "UnknownHostException: ",
        "--a ",
        "--token ",
        "Cookie: ",
        "exception_message",
        "\"exception_message\":\"",
        "\u00e9",
        "\ud83e\udd8a",
        "\u200d",
        "\u202e",
        "\n",
        "\t",
        "a\n",
        "aA0",
        "Ab3/",
        "0123456789abcdef");
  }

  @ParameterizedTest
  @MethodSource("pieces")
  void the_time_grows_with_the_length_and_no_faster(String piece) {
    for (Rule rule : Redaction.RULES) {
      long half = looks(rule, piece, SHORT);
      long whole = looks(rule, piece, 2 * SHORT);

      assertThat(whole)
          .as("%s", rule.pattern())
          .isLessThan(2L * SHORT * MOST_STEPS_PER_CHARACTER)
          .isLessThanOrEqualTo(half * 5 / 2 + 10_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "/a", "a:a"})
  void a_megabyte_takes_as_long_as_its_parts(String piece) {
    for (Rule rule : Redaction.RULES) {
      long part = looks(rule, piece, SHORT);

      assertThat(looks(rule, piece, LONG))
          .as("%s", rule.pattern())
          .isLessThanOrEqualTo(part * (LONG / SHORT) * 5 / 4 + 10_000);
    }
  }

  private static long looks(Rule rule, String piece, int length) {
    Counted text = new Counted(piece.repeat(length / piece.length()));
    rule.apply(text);
    return text.looks;
  }

  @ParameterizedTest
  @MethodSource("pieces")
  void a_megabyte_of_anything_becomes_a_short_line(String piece) {
    String text = piece.repeat(LONG / piece.length());

    assertFit(OwnerText.line(text), OwnerText.USUAL_LENGTH);
    assertFit(OwnerText.error(text), OwnerText.USUAL_LENGTH);
    assertFit(OwnerText.line("x" + text, 7), 7);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void any_mixture_becomes_a_line_that_is_fit(long seed) {
    Random random = new Random(seed);
    List<String> pieces = pieces().toList();
    for (int i = 0; i < 500; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = random.nextInt(30); j >= 0; j--) {
        text.append(pieces.get(random.nextInt(pieces.size())));
        text.append(random.nextInt(4) == 0 ? Character.toString(random.nextInt(0x10000)) : "x1");
      }
      String once = OwnerText.line(text.toString(), 1_000);

      assertFit(once, 1_000);
      assertFit(OwnerText.line(once, 1_000), 1_000);
    }
  }

  private static void assertFit(String line, int most) {
    assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(most);
    assertThat(line.codePoints())
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE)
        .noneMatch(c -> (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069));
    assertThat(new String(line.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
        .isEqualTo(line);
  }

  @Test
  void what_nobody_sees_is_left_out() {
    assertThat(OwnerText.line("a\u202eb\u2066c\u200fd\u061ce\u200bf\ufeffg\u00adh\u2060i"))
        .isEqualTo("abcdefghi");
    assertThat(OwnerText.line("half \ud83e of \udd8a it \uffff\ufdd0")).isEqualTo("half  of  it");
    assertThat(OwnerText.line("\0one\0\0two\u0007three\u001b[31mred\u001b[0m\u009d "))
        .isEqualTo("one two threered");
    assertThat(OwnerText.line("a\u200db\u200c\ufe0fc\udb40\udc61d")).isEqualTo("abcd");
    assertThat(OwnerText.line("e" + "\u0301".repeat(100))).isEqualTo("e" + "\u0301".repeat(6));
  }

  @Test
  void a_text_is_fit_if_nothing_of_it_would_be_changed() {
    assertThat(OwnerText.isFit("step 3/20\nof sketch/poster")).isTrue();
    assertThat(OwnerText.isFit("see https://x.example")).isFalse();
    assertThat(OwnerText.isFit("a\u202eb")).isFalse();
    assertThat(OwnerText.isFit("token=abc")).isFalse();
  }

  @Test
  void line_breaks_become_spaces_or_stay() {
    String text = " one\r\ntwo\rthree\n\n  four\u2028five\u0085six\tseven ";

    assertThat(OwnerText.line(text)).isEqualTo("one two three four five six seven");
    assertThat(OwnerText.lines(text, 100)).isEqualTo("one\ntwo\nthree\n\n  four\nfive\nsix seven");
  }

  @Test
  void a_long_text_is_cut_between_characters_and_never_through_a_key() {
    assertThat(OwnerText.line("\ud83e\udd8a".repeat(500))).isEqualTo("\ud83e\udd8a".repeat(300));
    assertThat(OwnerText.line("abcdef", 3)).isEqualTo("abc");
    String keys = ("sk-" + "aB3".repeat(300) + " ").repeat(40);
    assertThat(OwnerText.line(keys)).doesNotContain("sk-").startsWith("[secret] [secret]");
    assertThatThrownBy(() -> OwnerText.line("a", 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"exception_message": "CUDA out of memory", "node_id": "3"} | CUDA out of memory
          {"data": {"error_message": "no such model"}}                | no such model
          prompt failed: {"exception_message": "bad \\"seed\\""       | bad "seed"
          {"exception_message": "can't open /a/b"}                    | can't open [path]
          {"exception_message": "", "error_message": "the other"}     | the other
          {"exception_message": "tsch\\u00fcss\\nmore"}               | tschüss
          {"traceback": ["a", "b"]}                                   | Processing failed.
          [1, 2, 3]                                                   | Processing failed.
          [Errno 28] No space left on device                          | [Errno 28] No space left on device
          `  `                                                        | Processing failed.
          disk full                                                   | disk full
          `Traceback (most recent call last):
            File "x.py", line 1
          ValueError: too small`                                      | ValueError: too small
          GET https://s3.example/a?X-Amz-Signature=abc failed         | GET [url] failed
          used Bearer abc.def for it                                  | used [secret] for it
          token mrw_abcDEF123 was refused                             | token [secret] was refused
          """)
  void a_programs_last_words_become_one_plain_line(String raw, String shown) {
    assertThat(OwnerText.error(raw)).isEqualTo(shown);
  }

  @Test
  void words_of_nothing_visible_become_a_general_sentence() {
    assertThat(OwnerText.error("\0\u202e\ud83e")).isEqualTo("Processing failed.");
    assertThat(OwnerText.error("")).isEqualTo("Processing failed.");
  }
}
