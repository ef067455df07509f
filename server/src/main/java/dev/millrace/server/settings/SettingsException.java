package dev.millrace.server.settings;

import java.util.List;

/**
 * The configuration cannot be used. It carries every mistake that was found, so that an operator
 * fixes them in one go. It never has a cause: the messages of parsers quote what they were given,
 * and that may be a secret.
 */
public final class SettingsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> mistakes;

  SettingsException(List<String> mistakes) {
    super(
        (mistakes.size() == 1
                ? "There is a mistake in the settings:"
                : "There are " + mistakes.size() + " mistakes in the settings:")
            + "\n  - "
            + String.join("\n  - ", mistakes));
    this.mistakes = List.copyOf(mistakes);
  }

  /** One sentence per mistake, each naming the setting as the operator wrote it. */
  public List<String> mistakes() {
    return mistakes;
  }
}
