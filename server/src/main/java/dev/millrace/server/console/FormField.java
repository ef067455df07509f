package dev.millrace.server.console;

import java.util.List;

/**
 * One input of an effect, as a form shows it.
 *
 * @param kind text, area, number, slider, choice, flag, file or json
 * @param min empty if there is none; so are max, step and value
 * @param options of a choice
 * @param accept which files, as a file input wants it
 * @param wrong what was wrong with it, if anything
 */
record FormField(
    String name,
    String title,
    String hint,
    String kind,
    String value,
    String min,
    String max,
    String step,
    List<String> options,
    String accept,
    boolean required,
    String wrong) {

  FormField {
    options = List.copyOf(options);
  }

  /** The element's id. */
  String id() {
    return "in-" + name;
  }

  boolean wide() {
    return kind.equals("area") || kind.equals("file") || kind.equals("json");
  }

  boolean bad() {
    return !wrong.isEmpty();
  }
}
