package dev.millrace.providers.scrape;

import dev.millrace.providers.fetch.Content;
import dev.millrace.providers.fetch.FetchHeaders;
import dev.millrace.providers.fetch.FetchResult.Fetched;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/** Reads what is worth keeping out of a page. */
final class PageReader {

  private static final int DEEPEST = 256;
  private static final int LONGEST_TITLE = 500;
  private static final int LONGEST_VALUE = 2_000;
  private static final int LONGEST_NAME = 100;
  private static final int MOST_METADATA = 100;
  private static final Pattern CHARSET =
      Pattern.compile("charset\\s*=\\s*[\"']?([A-Za-z0-9._:+-]{1,40})", Pattern.CASE_INSENSITIVE);

  /** Labels that browsers read as a superset, since authors mean that. */
  private static final Set<String> LATIN = Set.of("iso-8859-1", "us-ascii", "ascii", "latin1");

  private final int mostCharacters;
  private final int mostImages;

  PageReader(int mostCharacters, int mostImages) {
    this.mostCharacters = mostCharacters;
    this.mostImages = mostImages;
  }

  Page html(Fetched fetched) throws IOException {
    Document document =
        Jsoup.parse(
            fetched.body().stream(),
            charset(fetched.headers()),
            fetched.url().toString(),
            Parser.htmlParser().setMaxDepth(DEEPEST));
    Map<String, String> metadata = metadata(document);
    PageText.Seen seen = PageText.of(document.body(), mostCharacters);
    return new Page(
        firstOf(
            CleanText.line(document.title(), LONGEST_TITLE),
            metadata.get("og:title"),
            metadata.get("twitter:title")),
        firstOf(metadata.get("description"), metadata.get("og:description")),
        CleanText.line(
            Optional.ofNullable(document.selectFirst("html")).map(e -> e.attr("lang")).orElse(""),
            LONGEST_NAME),
        Optional.ofNullable(document.selectFirst("link[rel~=(?i)^canonical$][href]"))
            .map(link -> Pictures.address(link, "href"))
            .orElse(""),
        document.charset().name().toLowerCase(Locale.ROOT),
        seen.text(),
        seen.cut(),
        Pictures.of(document, mostImages),
        metadata);
  }

  Page plain(Fetched fetched) {
    Charset charset =
        Optional.ofNullable(charset(fetched.headers()))
            .map(Charset::forName)
            .orElse(StandardCharsets.UTF_8);
    Content body = fetched.body();
    StringBuilder text = new StringBuilder();
    for (String line : new String(body.bytes(), charset).lines().toList()) {
      if (text.length() >= mostCharacters) {
        break;
      }
      text.append(CleanText.line(line, mostCharacters - text.length())).append('\n');
    }
    boolean cut = text.length() >= mostCharacters;
    return new Page(
        "",
        "",
        "",
        "",
        charset.name().toLowerCase(Locale.ROOT),
        text.toString().strip(),
        cut,
        List.of(),
        Map.of());
  }

  private static Map<String, String> metadata(Document document) {
    Map<String, String> found = new LinkedHashMap<>();
    for (Element meta : document.select("meta[content]")) {
      String name = meta.hasAttr("property") ? meta.attr("property") : meta.attr("name");
      String key = CleanText.line(name, LONGEST_NAME).toLowerCase(Locale.ROOT);
      String value = CleanText.line(meta.attr("content"), LONGEST_VALUE);
      if (!key.isEmpty() && !value.isEmpty() && found.size() < MOST_METADATA) {
        found.putIfAbsent(key, value);
      }
    }
    return found;
  }

  private static String firstOf(@Nullable String... texts) {
    for (String text : texts) {
      if (text != null && !text.isEmpty()) {
        return text;
      }
    }
    return "";
  }

  /** What the header says, if it is one that exists; null lets the page speak for itself. */
  private static @Nullable String charset(FetchHeaders headers) {
    Matcher matcher = CHARSET.matcher(headers.first("Content-Type").orElse(""));
    if (!matcher.find()) {
      return null;
    }
    String name = matcher.group(1).toLowerCase(Locale.ROOT);
    if (LATIN.contains(name)) {
      return "windows-1252";
    }
    try {
      return Charset.isSupported(name) && Charset.forName(name).canEncode() ? name : null;
    } catch (IllegalCharsetNameException e) {
      return null;
    }
  }
}
