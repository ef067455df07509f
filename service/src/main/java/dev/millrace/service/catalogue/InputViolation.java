package dev.millrace.service.catalogue;

import java.util.List;

/**
 * One way in which a value breaks a schema.
 *
 * @param steps the way into the value: a String for a key, an Integer for an index
 * @param complaint what must hold, as the end of a sentence that begins with the place
 */
public record InputViolation(List<Object> steps, Kind kind, String complaint) {

  /** The kinds that mean something special to whoever words the answer. */
  enum Kind {
    UNKNOWN_NAME,
    OTHER
  }

  public InputViolation {
    steps = List.copyOf(steps);
  }

  /** The place in a file's own spelling of paths. */
  public String under(String path) {
    String at = path;
    for (Object step : steps) {
      at =
          step instanceof Integer index
              ? SourceFile.within(at, index)
              : SourceFile.within(at, step.toString());
    }
    return at;
  }

  /** The place as a JSON Pointer (RFC 6901). */
  String pointerUnder(String pointer) {
    StringBuilder at = new StringBuilder(pointer);
    for (Object step : steps) {
      at.append('/').append(step.toString().replace("~", "~0").replace("/", "~1"));
    }
    return at.toString();
  }
}
