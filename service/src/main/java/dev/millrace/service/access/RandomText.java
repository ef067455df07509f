package dev.millrace.service.access;

import java.security.SecureRandom;

/** What nobody can guess, in letters and digits that need no escaping anywhere. */
public final class RandomText {

  static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private static final SecureRandom RANDOM = new SecureRandom();

  private RandomText() {}

  /** This many characters; each is worth nearly six bits. */
  public static String of(int characters) {
    StringBuilder text = new StringBuilder(characters);
    for (int i = 0; i < characters; i++) {
      text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }
}
