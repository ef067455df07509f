package dev.millrace.providers.http;

import java.util.List;

/** A description with mistakes: all of them, each with its place in the file. */
public final class BadDescription extends Exception {

  private final transient List<String> mistakes;

  BadDescription(List<String> mistakes) {
    super(String.join("; ", mistakes));
    this.mistakes = List.copyOf(mistakes);
  }

  /** One sentence each, such as {@code collect.status must be a JSON pointer}. */
  public List<String> mistakes() {
    return mistakes;
  }
}
