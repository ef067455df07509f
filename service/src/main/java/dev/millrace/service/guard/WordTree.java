package dev.millrace.service.guard;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * All listed words and phrases as one tree of letters, so that a text is walked once however many
 * there are. The steps from one place are bounded by the longest phrase, because a text has at most
 * three of the same letter in a row.
 */
final class WordTree {

  /** Shorter phrases must be the whole of a spelled-out word: initials are not a word. */
  private static final int LONG_ENOUGH_INSIDE = 4;

  private static final class Node {
    private final Map<Integer, Node> next = new HashMap<>();
    private final int letters;
    private final BitSet whole = new BitSet();
    private final BitSet beginnings = new BitSet();

    Node(int letters) {
      this.letters = letters;
    }
  }

  private final Node root = new Node(0);

  /**
   * Lists a phrase.
   *
   * @param phrase in its plain spelling
   * @param beginning whether longer words that begin like it are meant too
   * @param rule who listed it
   */
  void add(String phrase, boolean beginning, int rule) {
    Node node = root;
    for (int point : phrase.codePoints().toArray()) {
      int letters = node.letters + (point == ' ' ? 0 : 1);
      node = node.next.computeIfAbsent(point, _ -> new Node(letters));
    }
    (beginning ? node.beginnings : node.whole).set(rule);
  }

  boolean isEmpty() {
    return root.next.isEmpty();
  }

  /** Which rules list a phrase that the text has. */
  void find(Spelling text, BitSet found) {
    for (int i = 0; i < text.size(); i++) {
      boolean edge = text.isEdge(i);
      if (text.at(i) != ' ' && (edge || text.isSpelledOut(i))) {
        walk(text, i, edge, found);
      }
    }
  }

  private void walk(Spelling text, int from, boolean edge, BitSet found) {
    Set<Node> here = Set.of(root);
    for (int i = from; i < text.size() && !here.isEmpty(); i++) {
      Set<Node> there = new LinkedHashSet<>();
      for (Node node : here) {
        step(text, i, node, there);
        if (i > from && text.isDrawnOut(i)) {
          there.add(node);
        }
      }
      for (Node node : there) {
        boolean inside = text.isSpelledOut(i) && node.letters >= LONG_ENOUGH_INSIDE;
        if (edge || inside) {
          found.or(node.beginnings);
          if (inside || text.isEdge(i + 1)) {
            found.or(node.whole);
          }
        }
      }
      here = there;
    }
  }

  private static void step(Spelling text, int index, Node node, Set<Node> there) {
    int point = text.at(index);
    take(node, point, text, index, there);
    if (text.readsSigns(index)) {
      String letters = Signs.letters(point);
      for (int i = 0; i < letters.length(); i++) {
        take(node, letters.charAt(i), text, index, there);
      }
      if (point == Signs.ANY) {
        there.addAll(node.next.values());
      }
    }
  }

  /** A spelled-out phrase has lost the spaces between its words. */
  private static void take(Node node, int point, Spelling text, int index, Set<Node> there) {
    Node next = node.next.get(point);
    if (next != null) {
      there.add(next);
    }
    Node space = node.next.get((int) ' ');
    if (space != null && text.isSpelledOut(index) && space.next.get(point) != null) {
      there.add(space.next.get(point));
    }
  }
}
