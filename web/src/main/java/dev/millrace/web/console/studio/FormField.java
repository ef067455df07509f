package dev.millrace.web.console.studio;

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
public record FormField(
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

  public FormField {
    options = List.copyOf(options);
  }

  /** The element's id. */
  public String id() {
    return "in-" + name;
  }

  public boolean wide() {
    return kind.equals("area") || kind.equals("file") || kind.equals("json");
  }

  public boolean bad() {
    return !wrong.isEmpty();
  }
}
