package dev.millrace.postgres.files;

import java.util.Locale;

/** Whether a file was brought. The label is the same word in SQL and JSON. */
public enum UploadState {
  PENDING,
  READY;

  private final String label = name().toLowerCase(Locale.ROOT);

  public String label() {
    return label;
  }
}
