package dev.millrace.cli.shell;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.text.Say;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.TextStyle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a running command has at hand. The connection is made up only when it is asked for. */
public final class Session implements AutoCloseable {

  private final Surroundings surroundings;
  private final Options options;
  private @Nullable ServerApi api;

  public Session(Surroundings surroundings, Options options) {
    this.surroundings = surroundings;
    this.options = options;
  }

  public Surroundings surroundings() {
    return surroundings;
  }

  public ServerApi api() throws IOException {
    if (api == null) {
      Settings settings = Settings.resolve(options, surroundings.environment());
      api = new ServerApi(settings.url(), settings.key(), surroundings.pause());
    }
    return api;
  }

  /** Whether requests are made with the key that begins like this. */
  public boolean usesKey(String prefix) throws IOException {
    @Nullable String key = Settings.resolve(options, surroundings.environment()).key();
    return key != null && !prefix.isEmpty() && key.startsWith(prefix);
  }

  public Format format() {
    return options.format();
  }

  public boolean quiet() {
    return options.quiet();
  }

  public TextStyle outStyle() {
    return new TextStyle(
        surroundings.outIsTerminal() && mayColour(), Surroundings.isUnicode(surroundings.out()));
  }

  public TextStyle errStyle() {
    return new TextStyle(
        surroundings.errIsTerminal() && mayColour(), Surroundings.isUnicode(surroundings.err()));
  }

  /** Tells the person something that is not data. */
  public void say(String message) {
    if (!options.quiet()) {
      surroundings.err().println(message);
    }
  }

  /** Prints a line of data. */
  public void print(String line) {
    surroundings.out().println(line);
  }

  /** Prints one JSON value. JSON is UTF-8, whatever the terminal's character set may be. */
  public void print(JsonNode json) {
    String text = format() == Format.JSON ? ApiJson.pretty(json) : ApiJson.line(json);
    surroundings.out().writeBytes((text + "\n").getBytes(StandardCharsets.UTF_8));
    surroundings.out().flush();
  }

  public void print(Table table) {
    table.render(surroundings.columns(), outStyle()).forEach(this::print);
  }

  /** Prints a list in the form that was asked for. */
  public void printList(JsonNode page, Table table, String whenEmpty) {
    switch (format()) {
      case JSON -> print(page);
      case JSONL -> page.path("items").forEach(this::print);
      case TABLE -> {
        if (table.isEmpty()) {
          say(whenEmpty);
        } else {
          print(table);
        }
      }
    }
  }

  /** A time, relative to now. */
  public String ago(JsonNode node, String field) {
    return Say.ago(ApiJson.text(node, field), surroundings.clock().instant());
  }

  @Override
  public void close() {
    if (api != null) {
      api.close();
    }
  }

  private boolean mayColour() {
    return !options.noColor() && surroundings.mayColour();
  }
}
