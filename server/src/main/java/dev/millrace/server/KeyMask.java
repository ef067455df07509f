package dev.millrace.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Enough of a key to tell it from another one, and too little to use it. */
final class KeyMask {

  private static final String DOTS = "••••••";

  /** A kind of key that services put in front, such as {@code r8_} or {@code sk-}. */
  private static final Pattern KIND = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,3}[_-]");

  /** What is shorter is not random enough to show any of it. */
  private static final int SHORTEST = 20;

  private static final int SHOWN = 4;

  private KeyMask() {}

  static String of(String key) {
    if (key.length() < SHORTEST) {
      return DOTS;
    }
    Matcher kind = KIND.matcher(key);
    String front = kind.lookingAt() ? kind.group() : "";
    return front + DOTS + key.substring(key.length() - SHOWN);
  }
}
