package dev.millrace.providers.scrape;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** The pictures of a page: those that it shows of itself elsewhere first, then those in it. */
final class Pictures {

  private static final int LONGEST_ADDRESS = 2_048;
  private static final int LONGEST_TEXT = 300;
  private static final Pattern WEB = Pattern.compile("https?://\\p{Graph}+");
  private static final Pattern PIXELS = Pattern.compile("[0-9]{1,5}");

  private Pictures() {}

  static List<Page.Picture> of(Document document, int most) {
    Map<String, Page.Picture> found = new LinkedHashMap<>();
    for (Element meta :
        document.select(
            "meta[property=og:image][content], meta[property=og:image:url][content],"
                + " meta[name=twitter:image][content]")) {
      add(found, new Page.Picture(address(meta, "content"), "", 0, 0));
    }
    for (Element image : document.select("img")) {
      String source = address(image, "src");
      add(
          found,
          new Page.Picture(
              source.isEmpty() ? address(image, "data-src") : source,
              CleanText.line(image.attr("alt"), LONGEST_TEXT),
              pixels(image.attr("width")),
              pixels(image.attr("height"))));
      if (found.size() >= most) {
        break;
      }
    }
    return new ArrayList<>(found.values()).subList(0, Math.min(most, found.size()));
  }

  private static void add(Map<String, Page.Picture> found, Page.Picture picture) {
    if (!picture.url().isEmpty()) {
      found.putIfAbsent(picture.url(), picture);
    }
  }

  /** A web address, whole; empty if it is anything else, such as a picture in the page itself. */
  static String address(Element element, String attribute) {
    if (element.attr(attribute).length() > LONGEST_ADDRESS) {
      return "";
    }
    String address = element.absUrl(attribute);
    return address.length() <= LONGEST_ADDRESS && WEB.matcher(address).matches() ? address : "";
  }

  private static int pixels(String text) {
    return PIXELS.matcher(text).matches() ? Integer.parseInt(text) : 0;
  }
}
