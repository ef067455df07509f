package dev.millrace.sketch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads an input key by key; what is missing has a default, what is wrong is told. */
record Fields(Map<String, Object> input) {

  boolean has(String key) {
    return input.containsKey(key);
  }

  String text(String key, String otherwise) throws Unusable {
    Object value = input.get(key);
    if (value == null) {
      return otherwise;
    }
    if (value instanceof String text) {
      return text;
    }
    throw new Unusable("The " + key + " must be text.");
  }

  long whole(String key, long otherwise, long least, long most) throws Unusable {
    Object value = input.get(key);
    long number =
        switch (value) {
          case null -> otherwise;
          case Integer i -> i;
          case Long l -> l;
          case Double d when d == Math.rint(d) && Math.abs(d) < 1e15 -> d.longValue();
          default -> throw new Unusable("The " + key + " must be a whole number.");
        };
    if (number < least || number > most) {
      throw new Unusable("The " + key + " must be between " + least + " and " + most + ".");
    }
    return number;
  }

  double number(String key, double otherwise, int least, int most) throws Unusable {
    Object value = input.get(key);
    if (value == null) {
      return otherwise;
    }
    if (!(value instanceof Number number)) {
      throw new Unusable("The " + key + " must be a number.");
    }
    double amount = number.doubleValue();
    // Written so that NaN is refused too.
    if (!(amount >= least && amount <= most)) {
      throw new Unusable("The " + key + " must be between " + least + " and " + most + ".");
    }
    return amount;
  }

  List<String> texts(String key, int most) throws Unusable {
    Object value = input.get(key);
    if (!(value instanceof List<?> list)) {
      throw new Unusable("The " + key + " must be a list of texts.");
    }
    if (list.size() > most) {
      throw new Unusable("The " + key + " must be at most " + most + ".");
    }
    List<String> texts = new ArrayList<>();
    for (Object item : list) {
      if (!(item instanceof String text)) {
        throw new Unusable("The " + key + " must be a list of texts.");
      }
      texts.add(text);
    }
    return texts;
  }
}
