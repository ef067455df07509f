package dev.millrace.sketch;

import java.util.List;
import java.util.Map;

/**
 * A checked input that asks for a contact sheet.
 *
 * @param items one small sketch is drawn for each
 * @param skipped how many more there were, which nobody wants drawn
 */
record SheetInput(List<String> items, String title, int skipped) {

  private static final String ITEMS = "items";
  private static final int MOST_ITEMS = 64;
  private static final int MOST_SKIPPED = 1_000_000;

  SheetInput {
    items = List.copyOf(items);
  }

  /** Only a sheet has items, so they tell which of the two kinds of work an input asks for. */
  static boolean isOne(Map<String, Object> input) {
    return new Fields(input).has(ITEMS);
  }

  static SheetInput of(Map<String, Object> input) throws Unusable {
    Fields fields = new Fields(input);
    return new SheetInput(
        fields.texts(ITEMS, MOST_ITEMS),
        fields.text("title", "Contact sheet"),
        (int) fields.whole("skipped", 0, 0, MOST_SKIPPED));
  }
}
