package dev.millrace.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a hasty hand does to the console, and a hasty network. */
class KeysBrowserTest {

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

  private static Page signedIn() {
    Page page = chromium.window();
    page.navigate(rig.url("/console/sign-in"));
    page.getByLabel("API key").fill(rig.key());
    page.getByText("Sign in").last().click();
    page.waitForURL("**/console/overview");
    return page;
  }

  private static String waiting(String prompt) {
    String id =
        rig.admin().askedAs("default", "sketch/proof", "\"prompt\":\"%s\"".formatted(prompt));
    await().until(() -> rig.admin().state(id).equals("waiting_review"));
    return id;
  }

  @Test
  void no_key_decides_while_a_dialog_is_open_or_after_g_and_two_keys_decide_once() {
    String first = waiting("a boat");
    String second = waiting("a tree");
    Page page = signedIn();
    page.navigate(rig.url("/console/review"));
    page.keyboard().press("?");
    assertThat(page.locator("#shortcuts")).isVisible();
    page.keyboard().press("a");
    page.keyboard().press("x");
    assertThat(page.locator("#shortcuts")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.locator("#shortcuts")).isHidden();
    page.keyboard().press("g");
    page.keyboard().press("x");
    page.keyboard().press("g");
    page.keyboard().press("g");
    assertThat(page.locator(".item")).hasCount(2);
    assertThat(rig.admin().state(first)).isEqualTo("waiting_review");
    assertThat(rig.admin().state(second)).isEqualTo("waiting_review");

    assertThat(page.locator(".review[data-ready]")).hasCount(1);
    // The newest is first. Both keys are pressed before the browser has left the page.
    page.evaluate(
        """
        () => { for (const key of ['a', 'a', 'x']) document.body.dispatchEvent(
          new KeyboardEvent('keydown', {key, bubbles: true})); }
        """);
    page.waitForURL("**/console/review?done=approved**");
    assertThat(page.locator(".item")).hasCount(1);
    assertThat(rig.admin().state(second)).isEqualTo("completed");
    assertThat(rig.admin().state(first)).isEqualTo("waiting_review");
    assertThat(chromium.complaints()).isEmpty();
    page.context().close();
  }

  @Test
  void no_key_decides_about_what_nobody_can_have_seen_yet() {
    String first = waiting("a lake");
    String second = waiting("a hill");
    Page page = signedIn();
    page.navigate(rig.url("/console/review"));
    assertThat(page.locator(".review[data-ready]")).hasCount(1);
    // Somebody types on, faster than anything can be seen.
    page.addInitScript(
        """
        addEventListener('load', () => {
          for (const ms of [0, 100, 450, 900]) setTimeout(() => document.body.dispatchEvent(
            new KeyboardEvent('keydown', {key: 'a', bubbles: true})), ms);
        });
        """);
    page.keyboard().press("a");
    page.waitForURL("**/console/review?done=approved**");
    assertThat(page.locator(".review[data-ready]")).hasCount(1);
    picture(page, "review-ready");
    assertThat(rig.admin().state(second)).isEqualTo("completed");
    assertThat(rig.admin().state(first)).isEqualTo("waiting_review");
    page.keyboard().press("a");
    await().until(() -> rig.admin().state(first).equals("completed"));
    assertThat(chromium.complaints()).isEmpty();
    page.context().close();
  }

  @Test
  void x_asks_for_the_reason_and_only_enter_declines() {
    String first = waiting("a lamp");
    String second = waiting("a rose");
    Page page = signedIn();
    page.navigate(rig.url("/console/review"));
    assertThat(page.locator(".review[data-ready]")).hasCount(1);
    page.keyboard().press("x");
    Locator reason = page.locator("#item-" + second + " form.decline input[name=reason]");
    assertThat(reason).isFocused();
    page.keyboard().type("a bad jxka");
    assertThat(reason).hasValue("a bad jxka");
    page.keyboard().press("Escape");
    assertThat(page.locator("#item-" + second)).isFocused();
    assertThat(rig.admin().state(first)).isEqualTo("waiting_review");
    assertThat(rig.admin().state(second)).isEqualTo("waiting_review");
    page.keyboard().press("x");
    page.keyboard().press("Enter");
    page.waitForURL("**/console/review?done=declined**");
    assertThat(rig.admin().state(second)).isEqualTo("rejected");
    assertThat(rig.admin().state(first)).isEqualTo("waiting_review");
    rig.admin().post("/api/jobs/" + first + "/cancel", "").good();
    assertThat(chromium.complaints()).isEmpty();
    page.context().close();
  }

  @Test
  void a_worker_and_a_key_are_revoked_only_after_a_question() {
    FleetRig.register(
            rig.admin(),
            FleetRig.SECRET,
            "{\"worker_id\":\"gpu-7\",\"max_concurrency\":2,\"workflow_slugs\":[\"upscale\"]}")
        .good();
    rig.newSecret("user", "");
    Page page = signedIn();
    page.navigate(rig.url("/console/workers"));
    page.locator("summary").getByText("Revoke …").first().click();
    Locator question = page.locator("details.ask[open]");
    assertThat(question).containsText("for good");
    picture(page, "workers-revoke");
    assertThat(rig.admin().get("/api/admin/workers/gpu-7").good().path("status").asString())
        .isNotEqualTo("revoked");
    question.getByText("Revoke the worker").click();
    page.waitForURL("**/console/workers?done=revoke");

    page.navigate(rig.url("/console/keys"));
    assertThat(page.locator("main")).containsText("you are signed in with it");
    page.locator("summary").getByText("Revoke …").first().click();
    picture(page, "keys-revoke");
    page.locator("details.ask[open]").getByText("Revoke the key").click();
    page.waitForURL("**/console/keys?done=key-revoked");
    assertThat(chromium.complaints()).isEmpty();
    page.context().close();
  }

  @Test
  void a_stream_whose_first_request_fails_is_opened_all_the_same() {
    rig.admin().post("/api/admin/workflows/sketch/pause", "").good();
    String id = rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"waits\"");
    Page page = signedIn();
    int[] tries = {0};
    page.route(
        "**/live?*",
        route -> {
          if (tries[0]++ == 0) {
            route.abort();
          } else {
            route.resume();
          }
        });
    page.navigate(rig.url("/console/jobs/" + id));
    assertThat(page.locator("#connection"))
        .hasText("live", new LocatorAssertions.HasTextOptions().setTimeout(60_000));
    assertThat(page.locator("#lost")).isHidden();
    rig.admin().post("/api/admin/workflows/sketch/resume", "").good();
    assertThat(page.locator("#standing"))
        .containsText("completed", new LocatorAssertions.ContainsTextOptions().setTimeout(60_000));
    chromium.complaints();
    page.context().close();
  }

  /** For whoever wants to look at it: set the folder to keep pictures in. */
  private static void picture(Page page, String name) {
    String to = System.getProperty("millrace.pictures", "");
    if (!to.isEmpty()) {
      page.screenshot(
          new Page.ScreenshotOptions().setPath(Path.of(to, name + ".png")).setFullPage(true));
    }
  }
}
