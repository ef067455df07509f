package dev.millrace.worker.settings;

import java.util.List;

/** All that is wrong with the settings, one mistake per line. */
public final class WorkerSettingsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  WorkerSettingsException(List<String> mistakes) {
    super(String.join("\n", mistakes));
  }
}
