package dev.millrace.service.catalogue;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** What became of a user's input. */
public sealed interface Resolution {

  /**
   * The input is good.
   *
   * @param input complete and valid; the caller's own copy
   */
  record Resolved(ObjectNode input) implements Resolution {}

  /** The input is refused; every mistake in it is listed. */
  record Invalid(List<InputError> errors) implements Resolution {
    public Invalid {
      errors = List.copyOf(errors);
      if (errors.isEmpty()) {
        throw new IllegalArgumentException("invalid without an error");
      }
    }
  }

  /**
   * One mistake.
   *
   * @param path a JSON Pointer into the request, such as {@code /input/prompt}
   * @param message what must hold, never quoting what the user wrote in free text
   */
  record InputError(String path, String message) {}
}
