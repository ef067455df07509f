package dev.millrace.providers.openai;

import dev.millrace.providers.wire.WholeNumber;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads fields of an input, each with its bounds. */
record Fields(Map<String, Object> input) {

  boolean has(String name) {
    return input.get(name) != null;
  }

  Optional<String> text(String name, int longest) throws Unusable {
    Object value = input.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof String text) || text.isBlank() || text.length() > longest) {
      throw new Unusable("The " + name + " must be a text of 1 to " + longest + " characters.");
    }
    return Optional.of(text);
  }

  String required(String name, int longest) throws Unusable {
    return text(name, longest).orElseThrow(() -> new Unusable("The input needs a " + name + "."));
  }

  String oneOf(String name, List<String> known) throws Unusable {
    String value = text(name, 100).orElse(known.getFirst());
    if (!known.contains(value)) {
      throw new Unusable("The " + name + " must be one of " + String.join(", ", known) + ".");
    }
    return value;
  }

  int whole(String name, int usual, int least, int most) throws Unusable {
    Object value = input.get(name);
    if (value == null) {
      return usual;
    }
    WholeNumber number = new WholeNumber(name, least, most);
    return number.of(value).orElseThrow(() -> new Unusable(number.law()));
  }

  Optional<Double> number(String name, double least, double most) throws Unusable {
    Object value = input.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof Number number)
        || !(number.doubleValue() >= least && number.doubleValue() <= most)) {
      throw new Unusable("The " + name + " must be a number from " + least + " to " + most + ".");
    }
    return Optional.of(number.doubleValue());
  }

  boolean truth(String name) throws Unusable {
    Object value = input.get(name);
    if (value != null && !(value instanceof Boolean)) {
      throw new Unusable("The " + name + " must be true or false.");
    }
    return Boolean.TRUE.equals(value);
  }
}
