package dev.millrace.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.web.console.frame.Words;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reviewer with a long queue, who is not the only one. */
class ReviewBrowserTest {

  private static final LocatorAssertions.ContainsTextOptions SOON =
      new LocatorAssertions.ContainsTextOptions().setTimeout(60_000);

  @TempDir static Path folder;
  private static ServerRig rig;
  private static Chromium chromium;

  @BeforeAll
  static void open() {
    chromium = Chromium.start();
    rig = ConsoleRig.start(folder);
  }

  @AfterAll
  static void close() {
    if (rig != null) {
      rig.close();
      chromium.close();
    }
  }

  @AfterEach
  void nothingWaits() {
    rig.admin()
        .get("/api/jobs?state=waiting_review&limit=100")
        .good()
        .path("items")
        .values()
        .forEach(job ->
            rig.admin().post("/api/jobs/" + job.path("id").asString() + "/cancel", "").good());
  }

  private static Page signedIn() {
    Page page = chromium.window();
    page.navigate(rig.url("/console/sign-in"));
    page.getByLabel("API key").fill(rig.key());
    page.getByText("Sign in").last().click();
    page.waitForURL("**/console/overview");
    return page;
  }

  /** Oldest first. */
  private static List<String> waiting(int count, int variants) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(
          rig.admin()
              .askedAs(
                  "default",
                  "sketch/proof",
                  "\"prompt\":\"boat %d\",\"variants\":%d".formatted(i, variants)));
    }
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> ids.stream().allMatch(id -> rig.admin().state(id).equals("waiting_review")));
    return ids;
  }

  /** Presses a key that decides, as soon as it may. */
  private static void decide(Page page, String key) {
    assertThat(page.locator(".review[data-ready]")).hasCount(1);
    page.keyboard().press(key);
    if (key.equals("x")) {
      page.keyboard().press("Enter");
    }
  }

  private static Locator current(Page page) {
    return page.locator(".item[aria-current]");
  }

  @Test
  void all_that_waits_is_paged_and_counted_and_the_next_one_comes_up_after_a_decision() {
    List<String> ids = waiting(24, 1);
    Page page = signedIn();
    page.navigate(rig.url("/console/review"));
    assertThat(page.locator("#waiting")).containsText("24 results wait");
    assertThat(page.locator(".item")).hasCount(20);
    picture(page, "review-first");
    page.locator("a[rel=next]").click();
    assertThat(page.locator(".item")).hasCount(4);
    assertThat(current(page)).containsText(Words.shortId(ids.get(3)));

    page.keyboard().press("j");
    assertThat(current(page)).containsText(Words.shortId(ids.get(2)));
    decide(page, "a");
    assertThat(page.locator(".item")).hasCount(3);
    assertThat(page.locator(".notice").last()).containsText("Approved");
    assertThat(current(page)).containsText(Words.shortId(ids.get(1)));
    assertThat(current(page)).isFocused();
    picture(page, "review-next");
    decide(page, "x");
    assertThat(page.locator(".item")).hasCount(2);
    assertThat(current(page)).containsText(Words.shortId(ids.get(0)));
    // After the last of a page the one before is next, and after all of it the newest are.
    decide(page, "a");
    assertThat(page.locator(".item")).hasCount(1);
    assertThat(current(page)).containsText(Words.shortId(ids.get(3)));
    decide(page, "a");
    assertThat(page.locator(".item")).hasCount(20);
    assertThat(page.locator("#waiting")).containsText("20 results wait");
    assertThat(rig.admin().state(ids.get(0))).isEqualTo("completed");
    assertThat(rig.admin().state(ids.get(1))).isEqualTo("rejected");
    assertThat(chromium.complaints()).isEmpty();
    page.context().close();
  }

  @Test
  void what_somebody_else_decides_is_told_in_place_and_never_ends_in_an_error() {
    List<String> ids = waiting(3, 1);
    Page page = signedIn();
    page.navigate(rig.url("/console/review"));
    rig.admin().post("/api/jobs/" + ids.get(1) + "/approve", "").good();
    Locator decided = page.locator("#item-" + ids.get(1));
    assertThat(decided).containsText("waits no more", SOON);
    assertThat(page.locator("#waiting")).containsText("2 results wait");
    List<String> more = waiting(1, 1);
    assertThat(page.locator("#waiting")).containsText("1 new, show", SOON);
    picture(page, "review-others");
    // The keys find nothing to decide there, and go on to the others.
    page.keyboard().press("j");
    decide(page, "a");
    assertThat(current(page)).containsText(Words.shortId(ids.get(1)));

    // The page has not heard of it yet, and the job is not even there any more.
    page.route("**/review/now?**", route -> route.abort());
    rig.admin().post("/api/jobs/" + ids.get(0) + "/cancel", "").good();
    rig.admin().delete("/api/jobs/" + ids.get(0)).good();
    page.keyboard().press("j");
    decide(page, "x");
    assertThat(page.locator(".notice").last()).containsText("It was decided already");
    assertThat(page.locator(".item")).hasCount(2);
    page.unroute("**/review/now?**");
    page.reload();

    // A double decision from two pages at once.
    rig.admin().post("/api/jobs/" + more.getFirst() + "/decline", "{\"reason\":\"no\"}").good();
    page.locator("#item-" + more.getFirst() + " form.approve button").first().click();
    assertThat(page.locator(".notice").last()).containsText("It was decided already");
    assertThat(rig.admin().state(more.getFirst())).isEqualTo("rejected");
    chromium.complaints();
    page.context().close();
  }

  @Test
  void why_some_were_held_back_is_on_the_page_of_the_job() {
    String id = waiting(1, 3).getFirst();
    Page page = signedIn();
    page.navigate(rig.url("/console/review"));
    Locator boxes = page.locator(".item input[type=checkbox]");
    for (int i = 0; i < 3; i++) {
      boxes.nth(i).uncheck();
    }
    page.getByText("Approve", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator(".notice").last()).containsText("Tick what to let through");
    page.locator(".item input[type=checkbox]").first().uncheck();
    page.getByLabel("Why the rest is left out").fill("The sail is missing.");
    page.getByText("Approve", new Page.GetByTextOptions().setExact(true)).click();
    await().until(() -> rig.admin().state(id).equals("completed"));
    page.navigate(rig.url("/console/jobs/" + id));
    assertThat(page.locator("#declined")).containsText("The sail is missing.");
    assertThat(page.locator("#events")).containsText("Approved 2 of 3");
    picture(page, "job-held-back");
    Chromium.requireAccessible(page, "a job of which some was held back");
    assertThat(chromium.complaints()).isEmpty();
    page.context().close();
  }

  /** For whoever wants to look at it: set the folder to keep pictures in. */
  private static void picture(Page page, String name) {
    String to = System.getProperty("millrace.pictures", "");
    if (!to.isEmpty()) {
      page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(to, name + ".png")));
    }
  }
}
