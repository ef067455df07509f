package dev.millrace.providers.scrape;

import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;

/** Collects what a reader would see of a page, with a new line for every block. */
final class PageText implements NodeFilter {

  private static final Set<String> UNSEEN =
      Set.of(
          "script",
          "style",
          "noscript",
          "template",
          "svg",
          "math",
          "iframe",
          "object",
          "canvas",
          "head",
          "select",
          "textarea");

  private final StringBuilder text = new StringBuilder();
  private final int most;

  private PageText(int most) {
    this.most = most;
  }

  /** What could be seen, and whether that was all. */
  record Seen(String text, boolean cut) {}

  static Seen of(Element body, int most) {
    PageText seen = new PageText(most);
    body.filter(seen);
    boolean cut = seen.text.length() >= most;
    return new Seen(seen.text.toString().strip(), cut);
  }

  @Override
  public FilterResult head(Node node, int depth) {
    if (text.length() >= most) {
      return FilterResult.STOP;
    }
    if (node instanceof TextNode words) {
      CleanText.append(text, words.getWholeText(), most);
      return FilterResult.CONTINUE;
    }
    if (node instanceof Element element) {
      if (UNSEEN.contains(element.normalName()) || element.hasAttr("hidden")) {
        return FilterResult.SKIP_ENTIRELY;
      }
      breakLine(element);
      return FilterResult.CONTINUE;
    }
    return FilterResult.SKIP_ENTIRELY;
  }

  @Override
  public FilterResult tail(Node node, int depth) {
    if (node instanceof Element element) {
      breakLine(element);
    }
    return FilterResult.CONTINUE;
  }

  private void breakLine(Element element) {
    if (!element.isBlock() && !element.normalName().equals("br")) {
      return;
    }
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    text.setLength(end);
    if (end > 0 && text.charAt(end - 1) != '\n') {
      text.append('\n');
    }
  }
}
