package dev.millrace.providers.openai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Items that no model has thought of, so that a new installation can show the whole way. The same
 * wish gives the same items, and they say what they are.
 */
final class StandInItems {

  private static final int MOST_WORDS = 5;
  private static final List<String> CATEGORIES = List.of("first", "second", "third");

  private StandInItems() {}

  static List<Map<String, Object>> of(ItemsInput input) {
    List<Map<String, Object>> items = new ArrayList<>();
    for (int i = 0; i < input.count(); i++) {
      items.add(input.records().isEmpty() ? made(input, i) : improved(input, i));
    }
    return items;
  }

  private static Map<String, Object> made(ItemsInput input, int index) {
    Map<String, Object> item = new LinkedHashMap<>();
    for (String field : input.fields()) {
      item.put(
          field,
          switch (field) {
            case "name", "title" -> String.join(" ", words(input.prompt())) + " " + (index + 1);
            case "description" -> "Draft %d, made without a model.".formatted(index + 1);
            case "category" -> CATEGORIES.get(index % CATEGORIES.size());
            case "tags" -> words(input.prompt());
            default -> field + " " + (index + 1);
          });
    }
    return item;
  }

  private static Map<String, Object> improved(ItemsInput input, int index) {
    Map<String, Object> item = new LinkedHashMap<>(input.records().get(index));
    item.replaceAll((_, value) -> value instanceof String text ? text.strip() : value);
    item.put("tags", words(input.prompt()));
    return item;
  }

  private static List<String> words(String prompt) {
    List<String> words =
        Stream.of(prompt.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+", -1))
            .filter(word -> word.length() > 2)
            .distinct()
            .limit(MOST_WORDS)
            .toList();
    return words.isEmpty() ? List.of("item") : words;
  }
}
