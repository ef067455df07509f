package dev.millrace.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A real browser. Whatever its pages complain about is remembered. */
final class Chromium implements AutoCloseable {

  private static final double PATIENCE_MILLIS = 30_000;

  private final Playwright playwright;
  private final Browser browser;
  private final List<String> complaints = new ArrayList<>();

  private Chromium(Path program) {
    // Assertions have a patience of their own, which is short and not that of the windows.
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(program)
                    .setHeadless(true)
                    .setArgs(List.of("--no-sandbox", "--disable-background-networking")));
  }

  /** Starts it; without one on this machine the tests that need it are left out, and say so. */
  static Chromium start() {
    Optional<Path> program =
        Stream.of("chromium", "chromium-browser", "google-chrome")
            .map(name -> Path.of("/usr/bin", name))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(program.isPresent(), "There is no Chromium here: apt-get install chromium");
    return new Chromium(program.orElseThrow());
  }

  /** A new window without any cookie. */
  Page window(int width, int height, ColorScheme scheme) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setColorScheme(scheme)
                .setLocale("en-GB"));
    context.setDefaultTimeout(PATIENCE_MILLIS);
    Page page = context.newPage();
    page.onConsoleMessage(message -> {
      if (message.type().equals("error") || message.type().equals("warning")) {
        complaints.add(message.text() + " at " + page.url());
      }
    });
    page.onPageError(error -> complaints.add(error + " at " + page.url()));
    return page;
  }

  Page window() {
    return window(1280, 860, ColorScheme.LIGHT);
  }

  /** What pages complained about since the last time: errors of scripts, and the CSP violated. */
  List<String> complaints() {
    List<String> all = List.copyOf(complaints);
    complaints.clear();
    return all;
  }

  /** Fails if axe finds anything that keeps people out. */
  static void requireAccessible(Page page, String what) {
    try {
      page.evaluate(
          new String(VendoredTest.read("vendor/axe.min.js"), StandardCharsets.UTF_8) + ";0");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    Object found =
        page.evaluate(
            """
            async () => (await axe.run(document, {resultTypes: ['violations']})).violations
              .map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160) + ' ' +
                n.any.map(a => a.message).join('; ')).slice(0, 3).join(' | '))
              .join('\\n')\
            """);
    assertThat(found).as("axe on " + what).isEqualTo("");
  }

  static void requireNoSidewaysScroll(Page page, String what) {
    Object width = page.evaluate("document.documentElement.scrollWidth");
    assertThat(width).as("width of " + what).isEqualTo(page.viewportSize().width);
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
