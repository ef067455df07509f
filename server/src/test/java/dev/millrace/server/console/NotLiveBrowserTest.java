package dev.millrace.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages that show something by themselves, and what they say when they can't any more. */
class NotLiveBrowserTest {

  private static final LocatorAssertions.IsVisibleOptions SOON =
      new LocatorAssertions.IsVisibleOptions().setTimeout(60_000);
  private static final LocatorAssertions.IsHiddenOptions GONE_SOON =
      new LocatorAssertions.IsHiddenOptions().setTimeout(60_000);

  @TempDir static Path folder;
  private static ServerRig rig;
  private static Chromium chromium;
  private static BadProxy proxy;
  private static String waiting;

  @BeforeAll
  static void open() {
    chromium = Chromium.start();
    rig = ConsoleRig.start(folder);
    proxy = new BadProxy(rig.url(""));
    // Nobody runs this one, so its page stays live.
    rig.admin().post("/api/admin/workflows/sketch/pause", "").good();
    waiting = rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"waits\"");
  }

  @AfterAll
  static void close() {
    if (rig != null) {
      proxy.close();
      rig.close();
      chromium.close();
    }
  }

  @AfterEach
  void mend() {
    proxy.forward();
  }

  private static Page signedIn() {
    Page page = chromium.window();
    signIn(page);
    return page;
  }

  private static void signIn(Page page) {
    page.navigate(proxy.url("/console/sign-in"));
    page.getByLabel("API key").fill(rig.key());
    page.getByText("Sign in").last().click();
    page.waitForURL("**/console/overview");
  }

  private static Page at(BrowserContext context, String path) {
    Page page = context.newPage();
    page.navigate(proxy.url(path));
    return page;
  }

  private static Locator sign(Page page) {
    return page.locator("#lost");
  }

  @Test
  void every_page_that_shows_something_by_itself_says_when_it_is_cut_off_and_when_it_is_back() {
    BrowserContext context = signedIn().context();
    List<Page> pages = new ArrayList<>();
    for (String path :
        List.of(
            "overview",
            "jobs",
            "jobs?q=state:failed",
            "jobs/" + waiting,
            "review",
            "tasks",
            "queues",
            "workers",
            "providers",
            "dead-letters")) {
      pages.add(at(context, "/console/" + path));
    }
    pages.forEach(page -> assertThat(sign(page)).isHidden());
    assertThat(pages.get(3).locator("#connection")).hasText("live");
    proxy.cut();
    for (Page page : pages) {
      assertThat(sign(page)).isVisible(SOON);
      assertThat(sign(page)).containsText("Not live since");
      assertThat(sign(page)).containsText("Trying again");
    }
    assertThat(pages.get(3).locator("#connection")).hasText("not live");
    picture(pages.getFirst(), "not-live-overview");
    picture(pages.get(3), "not-live-job");
    picture(pages.get(4), "not-live-review");
    Chromium.requireAccessible(pages.getFirst(), "a page that is not live");
    proxy.forward();
    for (Page page : pages) {
      assertThat(sign(page)).isHidden(GONE_SOON);
    }
    assertThat(pages.get(3).locator("#connection")).hasText("live");
    context.close();
  }

  @Test
  void a_refusal_says_why_and_nobody_asks_again_before_the_server_wants_it() {
    Page page = signedIn();
    proxy.answer("429 Too Many Requests\r\nRetry-After: 4");
    assertThat(sign(page)).containsText("too many requests", soon());
    assertThat(sign(page)).containsText("Trying again in");
    picture(page, "not-live-429");
    await().atMost(Duration.ofSeconds(60)).until(() -> proxy.answered().size() >= 2);
    assertThat(gap(proxy.answered(), 0)).isGreaterThanOrEqualTo(Duration.ofMillis(3900));

    // Without such a wish each wait is longer than the one before.
    proxy.answer("503 Service Unavailable");
    assertThat(sign(page)).containsText("the server can’t answer", soon());
    await().atMost(Duration.ofSeconds(60)).until(() -> proxy.answered().size() >= 2);
    assertThat(gap(proxy.answered(), 0)).isGreaterThanOrEqualTo(Duration.ofMillis(3900));

    // Whoever sits there needn't wait.
    proxy.answer("503 Service Unavailable\r\nRetry-After: 500");
    await().atMost(Duration.ofSeconds(60)).until(() -> !proxy.answered().isEmpty());
    assertThat(page.locator("#lost-next")).containsText("Trying again in 4");
    proxy.forward();
    page.locator("#lost-try").click();
    assertThat(sign(page)).isHidden();
    page.context().close();
  }

  @Test
  void a_live_page_that_is_answered_429_or_503_says_so_too() {
    Page page = signedIn();
    page.navigate(proxy.url("/console/jobs/" + waiting));
    assertThat(page.locator("#connection")).hasText("live");
    proxy.answer("429 Too Many Requests\r\nRetry-After: 2");
    assertThat(sign(page)).containsText("too many requests", soon());
    proxy.answer("503 Service Unavailable");
    assertThat(sign(page)).containsText("the server can’t answer", soon());
    assertThat(page.locator("#connection")).hasText("not live");
    proxy.forward();
    assertThat(sign(page)).isHidden(GONE_SOON);
    page.context().close();
  }

  @Test
  void a_stream_that_stands_but_is_silent_is_noticed_and_opened_again() {
    Page page = signedIn();
    page.navigate(proxy.url("/console/jobs/" + waiting));
    assertThat(page.locator("#connection")).hasText("live");
    Page overview = at(page.context(), "/console/overview");
    proxy.hold();
    assertThat(sign(overview)).containsText("nothing comes from the server", soon());
    assertThat(sign(page)).containsText("nothing comes from the server", soon());
    picture(page, "not-live-silent");
    proxy.forward();
    assertThat(sign(page)).isHidden(GONE_SOON);
    assertThat(sign(overview)).isHidden(GONE_SOON);
    rig.admin().post("/api/jobs/" + waiting + "/cancel", "").good();
    assertThat(page.locator("#standing")).containsText("canceled");
    assertThat(page.locator("#connection")).hasText("ended");
    waiting = rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"waits\"");
    page.context().close();
  }

  @Test
  void an_open_page_says_that_its_session_has_ended_and_goes_on_after_signing_in_again() {
    Page page = signedIn();
    Page list = at(page.context(), "/console/jobs?q=state:failed");
    page.navigate(proxy.url("/console/jobs/" + waiting));
    assertThat(page.locator("#connection")).hasText("live");
    Page other = at(page.context(), "/console/wallet");
    other.getByText("Sign out").click();
    other.waitForURL("**/console/sign-in**");
    for (Page each : List.of(page, list)) {
      assertThat(sign(each)).containsText("you are signed out", soon());
      assertThat(each.locator("#lost-in")).isVisible();
      assertThat(each.locator("#lost-try")).isHidden();
    }
    picture(page, "not-live-signed-out");
    list.locator("#lost-in").click();
    list.getByLabel("API key").fill(rig.key());
    list.getByText("Sign in").last().click();
    list.waitForURL("**/console/jobs?q=state:failed");
    // The other page has heard of it by itself, and its forms are those of the new session.
    assertThat(sign(page)).isHidden(GONE_SOON);
    page.getByText("Cancel …").click();
    page.getByText("Cancel the job").click();
    assertThat(page.locator("#standing")).containsText("canceled");
    waiting = rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"waits\"");
    page.context().close();
  }

  @Test
  void what_is_gone_is_not_asked_for_again() {
    String job = rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"goes\"");
    Page page = signedIn();
    page.navigate(proxy.url("/console/jobs/" + job));
    assertThat(page.locator("#connection")).hasText("live");
    proxy.answer("404 Not Found");
    assertThat(sign(page)).containsText("this is not there any more", soon());
    assertThat(page.locator("#lost-next")).isEmpty();
    assertThat(page.locator("#lost-try")).isHidden();
    page.context().close();
  }

  private static LocatorAssertions.ContainsTextOptions soon() {
    return new LocatorAssertions.ContainsTextOptions().setTimeout(60_000);
  }

  private static Duration gap(List<Instant> times, int first) {
    return Duration.between(times.get(first), times.get(first + 1));
  }

  /** For whoever wants to look at it: set the folder to keep pictures in. */
  private static void picture(Page page, String name) {
    String to = System.getProperty("millrace.pictures", "");
    if (!to.isEmpty()) {
      page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(to, name + ".png")));
    }
  }
}
