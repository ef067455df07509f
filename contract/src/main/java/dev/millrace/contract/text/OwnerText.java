package dev.millrace.contract.text;

/**
 * Makes a text fit to be shown to a job's owner.
 *
 * <p>What could help an attacker is replaced by a word in brackets: {@code [secret]} for keys,
 * passwords, tokens and signatures, {@code [url]}, {@code [host]} and {@code [address]} for where
 * things are, {@code [path]} for files of a machine, and {@code [data]} for content in a URL. What
 * nobody can see, or what changes the direction of writing, is left out.
 */
public final class OwnerText {

  /** How many characters (code points) a line has at most unless said otherwise. */
  public static final int USUAL_LENGTH = 300;

  /** Of so much more than is shown is looked at; the rest isn't worth the time. */
  private static final int LOOK_FACTOR = 16;

  private OwnerText() {}

  /** The text as one line of at most {@link #USUAL_LENGTH} characters. */
  public static String line(String text) {
    return line(text, USUAL_LENGTH);
  }

  /** The text as one line; line breaks become spaces. */
  public static String line(String text, int mostCharacters) {
    return cut(VisibleCharacters.oneLine(cleaned(text, mostCharacters)), mostCharacters);
  }

  /** The text with its line breaks, which are all written as {@code \n}. */
  public static String lines(String text, int mostCharacters) {
    return cut(cleaned(text, mostCharacters).strip(), mostCharacters);
  }

  /**
   * The text of a field, with its line breaks. A name such as {@code api_key} says that it is a
   * secret, whatever it looks like.
   */
  public static String field(String name, String text, int mostCharacters) {
    String instead = text.isEmpty() ? null : NamedValues.instead(name, text);
    return instead == null ? lines(text, mostCharacters) : instead;
  }

  /** Whether all that has such a name, as {@code credentials}, is secret. */
  public static boolean isSecretName(String name) {
    return NamedValues.isSecretName(name);
  }

  /**
   * What a program's last words tell: a JSON document, a stack trace or a page of text becomes one
   * line, and what says nothing becomes a general sentence.
   */
  public static String error(String printed) {
    String shown = line(ErrorWords.of(printed));
    return shown.isBlank() ? ErrorWords.NOTHING : shown;
  }

  /** Whether an owner may read this text, whatever its length, just as it is. */
  public static boolean isFit(String text) {
    return Redaction.of(VisibleCharacters.of(text)).equals(text);
  }

  private static String cleaned(String text, int mostCharacters) {
    if (mostCharacters < 1) {
      throw new IllegalArgumentException("nothing would be left");
    }
    long most = (long) mostCharacters * LOOK_FACTOR;
    String head = text.length() > most ? wholeWords(text, (int) most) : text;
    return Redaction.of(VisibleCharacters.of(head));
  }

  /** Half a key looks like a word, so what is cut through is left out. */
  private static String wholeWords(String text, int end) {
    int last = end;
    while (last > 0 && !Character.isWhitespace(text.charAt(last - 1))) {
      last--;
    }
    return text.substring(0, last);
  }

  private static String cut(String text, int mostCharacters) {
    return text.codePointCount(0, text.length()) <= mostCharacters
        ? text
        : text.substring(0, text.offsetByCodePoints(0, mostCharacters)).stripTrailing();
  }
}
