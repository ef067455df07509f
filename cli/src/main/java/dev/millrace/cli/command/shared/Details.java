package dev.millrace.cli.command.shared;

import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Clip;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** One thing, a labelled line per fact; facts that are empty are left out. */
public final class Details {

  private final Map<String, String> lines = new LinkedHashMap<>();

  public Details line(String label, String value) {
    if (!value.isEmpty()) {
      lines.put(label, value);
    }
    return this;
  }

  /** Prints the lines for people, or the JSON from which they were made. */
  public void print(Session session, JsonNode json) {
    if (session.format() != Format.TABLE) {
      session.print(json);
      return;
    }
    int width = lines.keySet().stream().mapToInt(String::length).max().orElse(0);
    lines.forEach((label, value) -> {
      String padding = " ".repeat(width - label.length() + 2);
      session.print(session.outStyle().dim(label) + padding + Clip.plain(value));
    });
  }
}
