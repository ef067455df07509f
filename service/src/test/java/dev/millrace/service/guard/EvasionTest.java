package dev.millrace.service.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A listed word is found however it is dressed up, and only where it is. */
class EvasionTest {

  private static final String WORDS =
      """
      words:
        - category: listed
          any: [ass, kill, bomb, cocaine, cop, shit, nude, "bad word", "make a bomb", xxx, pot,
                "убить*", наркотик, сука, βόμβα, 自殺, 爆弾, ระเบิด, قنبلة, बम, Mörder, "폭탄*"]
      """;

  @TempDir Path directory;
  private PromptGuard guard;

  @BeforeEach
  void read() throws IOException {
    guard = Rules.guard(directory, WORDS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kill",
        "how to KILL a man",
        "kill!",
        "(kill)",
        "don't kill, please",
        "KiLl",
        // Letters of other alphabets.
        "ki\u04CFl", // Cyrillic palochka
        "\u043Aill", // Cyrillic ka
        "c\u043Ecaine", // Cyrillic o
        "\u0441\u043E\u0441\u0430ine", // half Cyrillic
        "a photo of a \u0441\u043E\u0440", // wholly Cyrillic, in an English text
        "\u0412\u041E\u041C\u0412", // capitals: VE O EM VE
        "n\u03C5de", // Greek upsilon
        "b\u03BFmb", // Greek omicron
        "\u039Aill", // Greek Kappa
        "\u13E6ill", // Cherokee
        "\uA4D7\uA4F2\uA4E1\uA4E1", // Lisu
        "b\u0585mb", // Armenian oh
        "\u1D0B\u026A\u029F\u029F", // small capitals
        "b\u00F8mb",
        "\uABB6ill", // small Cherokee
        "\uFF4B\uFF49\uFF4C\uFF4C", // full width
        "\uD835\uDD1F\uD835\uDD2C\uD835\uDD2A\uD835\uDD1F", // Fraktur
        "\u24DA\u24D8\u24DB\u24DB", // circled
        "\uD83C\uDD7A\uD83C\uDD78\uD83C\uDD7B\uD83C\uDD7B", // negative squared
        "\uD83C\uDDF0\uD83C\uDDEE\uD83C\uDDF1\uD83C\uDDF1", // the letters of flags
        "\u20B3\u20B4\u20B4", // currencies
        // What can't be seen, and what can be taken off.
        "k\u200Bi\u200Bl\u200Bl",
        "ki\u00ADll",
        "k\u2060i\uFEFFll",
        "ki\uFE0Fll",
        "\u202Ekill\u202C",
        "ki\uDB40\uDC6Cll", // a tag
        "k\u034Fill",
        "k\u3164ill",
        "k\u0335i\u0336l\u0337l\u0338",
        "k\u0301\u0302\u0303\u0304i\u0316ll",
        "k\u00EFll",
        "k\u093Fill", // a Hindi vowel on a Latin letter
        // Digits and signs.
        "k1ll",
        "k111",
        "ki11",
        "b0mb",
        "8omb",
        "c0c41n3",
        "sh!t",
        "5h17",
        "$hit",
        "@ss",
        "a$$",
        "sh|t",
        "sh*t",
        "b**b",
        "nud3",
        // Taken apart and drawn out.
        "k i l l",
        "k.i.l.l",
        "k-i-l-l",
        "k_i_l_l",
        "k  i  l  l",
        "k\uD83D\uDE00i\uD83D\uDE00l\uD83D\uDE00l",
        "k 1 l l",
        "b.a.d w o r d",
        "b a d w o r d",
        "b a d   w o r d",
        "b-a-d word",
        "i w a n t t o k i l l h i m",
        "ki.ll",
        "bo-mb",
        "co\u00B7caine",
        "kiiiiill",
        "shiiiiit",
        "bad\nword",
        "bad_word",
        "make   a,  bomb",
        "MAKE A B\u041EMB",
        // Other languages.
        "\u041A\u0430\u043A \u0443\u0431\u0438\u0442\u044C\u0441\u044F", // a longer Russian verb
        "\u041D\u0410\u0420\u041A\u041E\u0422\u0418\u041A",
        "c\u0443\u043A\u0430", // Russian with a Latin c
        "\u0441y\u043Aa",
        "\u03B2\u03CC\u03BC\u03B2\u03B1",
        "\u0392\u039F\u039C\u0392\u0391",
        "\u81EA\u6BBA\u65B9\u6CD5", // within a Chinese sentence
        "\u81EA\u200B\u6BBA",
        "\u7206\u5F3E\u306E\u4F5C\u308A\u65B9",
        "\u0642\u064F\u0646\u0628\u0644\u0629", // Arabic with a vowel mark
        "ein MO\u0308RDER",
        "\uD3ED\uD0C4\uC744",
        "\u1111\u1169\u11A8\u1110\u1161\u11AB", // the same in single jamo
      })
  void a_listed_word_is_denied_however_it_is_written(String text) {
    assertThat(guard.check(Rules.prompt(text)))
        .isEqualTo(
            new Verdict.Denied(
                "listed", "The input is not allowed here (listed). Change it and try again."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Scunthorpe",
        "a classic car in the grass",
        "an assassin in the embassy",
        "skills and killers' whales",
        "a bombastic bombardier",
        "denuded hills",
        "copper copes with a copy",
        "a potion in a pothole",
        "455 people",
        "4 5 5",
        "$5.00 and $55",
        "J. A. S. S. Smith",
        "vitamins A, B, C and D",
        "a 1970s poster, 4k, f/1.8, 35mm",
        "a bad, wordy speech",
        "is this bad? Words fail me",
        "C++ and C#, a|b, x*y",
        "user@example.com",
        "https://example.com/skill?x=1",
        "a3f0c2d4-55a5-4b0b-8a55-12345678",
        "the bo tree; mb 5",
        "r\u00E9sum\u00E9 na\u00EFve fa\u00E7ade",
        "\u041C\u043E\u0439 \u043D\u043E\u0441 \u0438 \u0440\u043E\u0442", // "rot" looks like pot
        "\u0421\u043E\u0440 \u043D\u0430 \u043F\u043E\u043B\u0443, \u0434\u0440\u0443\u0437\u044C\u044F", // "sor" looks like cop
        "\u041A\u0440\u0430\u0441\u043D\u0430\u044F \u043B\u0438\u0441\u0430 \u0432 \u043B\u0435\u0441\u0443",
        "\u0447\u0435\u0440\u0432\u043E\u043D\u0430 \u043A\u0430\u043B\u0438\u043D\u0430",
        "\u0441\u0443\u043A\u0430\u0441\u0443\u043A", // the listed word inside another
        "\u03BC\u03B9\u03B1 \u03BA\u03CC\u03BA\u03BA\u03B9\u03BD\u03B7 \u03B1\u03BB\u03B5\u03C0\u03BF\u03CD",
        "\u039A\u03B1\u03BB\u03B7\u03BC\u03AD\u03C1\u03B1 \u03BA\u03CC\u03C3\u03BC\u03B5",
        "\u7D05\u3044\u72D0\u304C\u81EA\u5206\u3067\u8D70\u308B",
        "\u81EA\u7136\u548C\u6C34", // the first half of the listed word, and others
        "\u0935\u0939 \u092C\u093E\u092E \u0932\u0917\u093E\u0924\u093E \u0939\u0948", // a longer
        // Hindi word
        "\u062B\u0639\u0644\u0628 \u0623\u062D\u0645\u0631",
        "\u05E9\u05D5\u05E2\u05DC \u05D0\u05D3\u05D5\u05DD",
        "\uBE68\uAC04 \uC5EC\uC6B0",
        "\u0E2A\u0E38\u0E19\u0E31\u0E02\u0E08\u0E34\u0E49\u0E07\u0E08\u0E2D\u0E01\u0E2A\u0E35\u0E41\u0E14\u0E07",
        "B\u00F8rn p\u00E5 \u00F8en",
        "\u0141\u00F3d\u017A i \u0141omza",
        "\uD83E\uDD8A \u2728 3\u00D74 \u20AC20",
        "xx large, size XX",
      })
  void an_innocent_text_passes(String text) {
    assertThat(guard.check(Rules.prompt(text))).isEqualTo(Verdict.PASS);
  }
}
