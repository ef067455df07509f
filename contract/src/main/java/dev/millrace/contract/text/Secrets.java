package dev.millrace.contract.text;

import java.util.List;

/** Keys and tokens that give themselves away by how they look. */
final class Secrets {

  static final String SECRET = "[secret]";

  /** Not in the middle of a word. */
  private static final String START = "(?<![A-Za-z0-9])";

  /** What keys are made of, written without letters that end a sentence. */
  private static final String REST = "[A-Za-z0-9_-]";

  /** A private key, to its end or to that of the text. */
  static final List<Rule> BLOCKS =
      List.of(
          Rule.of(
              "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
                  + "(?:(?!-----END)[\\s\\S])*+(?:-----END[A-Z0-9 ]{0,60}(?:-----)?)?",
              SECRET));

  static final List<Rule> TOKENS =
      List.of(
          Rule.of(
              START
                  + "(?:sk-[A-Za-z0-9_-]{6,}+|(?:hf|mr[a-z]?|r8|gsk|rpa|tgp|npm|dop|nvapi|xai|pplx"
                  + "|fal|comfyui|pypi|esecret)[_-]"
                  + REST
                  + "{6,}+)",
              found -> looksRandom(tail(found.group())) ? SECRET : null),
          Rule.of(
              START
                  + "(?:[spr]k_(?:live|test|prod)_[A-Za-z0-9]{6,}+|whsec_[A-Za-z0-9+/=]{6,}+"
                  + "|gh[pousr]_[A-Za-z0-9]{10,}+|github_pat_[A-Za-z0-9_]{10,}+"
                  + "|glpat-[A-Za-z0-9_-]{10,}+|xox[a-z]-[A-Za-z0-9-]{6,}+|xapp-[A-Za-z0-9-]{6,}+"
                  + "|AIza[A-Za-z0-9_-]{20,}+|ya29\\.[A-Za-z0-9_-]{10,}+|GOCSPX-[A-Za-z0-9_-]{10,}+"
                  + "|SG\\.[A-Za-z0-9_-]{10,}+(?:\\.[A-Za-z0-9_-]{10,}+)?"
                  + "|(?:AKIA|ABIA|ACCA|AROA|AIDA|AGPA)[A-Z0-9]{8,}+|ASIA[A-Z0-9]{12,}+)",
              SECRET),
          Rule.of(START + "eyJ[A-Za-z0-9_-]{5,}+(?:\\.[A-Za-z0-9_-]{0,8000}+){0,4}+", SECRET),
          // An account's id and its key, as fal and others write them.
          Rule.of(
              START + "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:[0-9a-f]{16,}+",
              SECRET),
          Rule.of(
              START + "(?i:bearer|basic)[ \\n]{1,4}([A-Za-z0-9._~+/=:-]{4,}+)",
              found -> isToken(found.group(1)) ? SECRET : null),
          Rule.of(
              START + "(?i:token|key|apikey)[ \\n]{1,4}([A-Za-z0-9._~+=-]{12,}+)",
              found -> hasLetterAndDigit(found.group(1)) ? SECRET : null),
          Rule.of(
              "(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{32,}+={0,2}",
              found -> isNoise(found.group()) ? SECRET : null));

  private Secrets() {}

  private static String tail(String token) {
    int dash = token.indexOf('-');
    int line = token.indexOf('_');
    int end = dash < 0 ? line : line < 0 ? dash : Math.min(dash, line);
    return token.substring(end + 1);
  }

  /** Whether this is more than a word: names of programs begin with {@code sk-} or {@code hf_}. */
  static boolean looksRandom(String tail) {
    return tail.length() >= 20 || hasDigit(tail) || isMixed(tail) || hasLongRun(tail);
  }

  private static boolean hasLongRun(String tail) {
    int run = 0;
    for (int i = 0; i < tail.length(); i++) {
      run = Character.isLetterOrDigit(tail.charAt(i)) ? run + 1 : 0;
      if (run >= 12) {
        return true;
      }
    }
    return false;
  }

  /** Whether what stands behind a scheme is its token, and not the next word of a sentence. */
  static boolean isToken(String text) {
    int end = text.length();
    while (end > 0 && ".:=-/~+".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    String bare = text.substring(0, end);
    return bare.length() >= 16
        || hasDigit(bare)
        || isMixed(bare)
        || bare.chars().anyMatch(c -> ".:=/~+".indexOf(c) >= 0)
        || end < text.length() - 1;
  }

  static boolean hasDigit(String text) {
    return text.chars().anyMatch(c -> c >= '0' && c <= '9');
  }

  private static boolean hasLetterAndDigit(String text) {
    return hasDigit(text) && text.chars().anyMatch(Character::isLetter);
  }

  /** A capital after a small letter, as in no word and few names. */
  private static boolean isMixed(String text) {
    for (int i = 1; i < text.length(); i++) {
      if (Character.isUpperCase(text.charAt(i)) && Character.isLowerCase(text.charAt(i - 1))) {
        return true;
      }
    }
    return false;
  }

  /** Small letters, capitals and digits all through: no name and no checksum looks so. */
  private static boolean isNoise(String text) {
    int awsLength = 40;
    int leastDigits = text.length() == awsLength ? 1 : 3;
    return text.chars().filter(c -> c >= '0' && c <= '9').count() >= leastDigits
        && text.chars().filter(Character::isUpperCase).count() >= 4
        && text.chars().filter(Character::isLowerCase).count() >= 4
        && text.chars().filter(c -> c == '/').count() <= 4;
  }
}
