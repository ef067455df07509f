package dev.millrace.service.catalogue;

import java.util.OptionalInt;

/**
 * One mistake in one file.
 *
 * @param file the file's name; a built-in one is marked as such
 * @param line counts from 1; absent when the mistake has no line
 * @param path where in the document, such as {@code effects[2].credits_cost}; may be empty
 * @param message a sentence that names the path itself and says what must hold
 */
public record CatalogueProblem(String file, OptionalInt line, String path, String message) {

  /** One line for a terminal, in the form that editors can jump to. */
  @Override
  public String toString() {
    return file + (line.isPresent() ? ":" + line.getAsInt() : "") + ": " + message;
  }
}
