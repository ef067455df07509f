package dev.millrace.cli.shell;

/** How data is printed. */
public enum Format {
  /** For people. */
  TABLE,
  /** One JSON document. */
  JSON,
  /** One JSON object per line. */
  JSONL
}
