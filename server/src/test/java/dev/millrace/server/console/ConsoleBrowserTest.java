package dev.millrace.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.web.console.frame.Words;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person's way through the console, in a real browser. */
class ConsoleBrowserTest {

  private static final List<String> PAGES =
      List.of(
          "overview",
          "studio",
          "studio/sketch/poster",
          "studio/upscale/double",
          "library",
          "library?kind=input",
          "wallet",
          "jobs",
          "jobs?q=state:failed",
          "jobs?q=colour:red",
          "queues",
          "workers",
          "providers",
          "webhooks",
          "catalogue/check",
          "review",
          "dead-letters",
          "tasks",
          "ledger",
          "tenants",
          "tenants/default",
          "tenants/default?prefix=none",
          "catalogue",
          "keys",
          "shown-once",
          "audit");

  private static final LocatorAssertions.IsVisibleOptions SOON =
      new LocatorAssertions.IsVisibleOptions().setTimeout(60_000);

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

  private static Page signedIn(Page page) {
    page.navigate(rig.url("/console/sign-in"));
    page.getByLabel("API key").fill(rig.key());
    page.getByText("Sign in").last().click();
    page.waitForURL("**/console/overview");
    return page;
  }

  private static Locator button(Page page, String text) {
    return page.locator("main").getByText(text, new Locator.GetByTextOptions().setExact(true));
  }

  private static String lastPart(Page page) {
    String path = page.url().replaceAll("\\?.*", "");
    return path.substring(path.lastIndexOf('/') + 1);
  }

  @Test
  void a_person_makes_a_picture_and_sees_it_then_cancels_one_and_retries_a_failure() {
    Page page = signedIn(chromium.window());

    // Made: the price first, then live progress, then the picture, large. It takes some seconds,
    // because the progress is shown only while it runs.
    page.locator("nav").getByText("Studio").click();
    page.getByText("Draft", new Page.GetByTextOptions().setExact(true)).click();
    page.getByLabel("Prompt").fill("a red fox");
    page.getByLabel("Delay", new Page.GetByLabelOptions().setExact(true)).fill("8");
    assertThat(page.locator("#quote")).containsText("1 credit");
    assertThat(page.locator("#curl")).containsText("a red fox");
    button(page, "Make it").click();
    assertThat(page.locator("#live progress")).isVisible();
    assertThat(page.locator("#outputs img")).isVisible(SOON);
    assertThat(page.locator("#standing")).containsText("completed");
    assertThat(page.locator("#deeds")).containsText("Delete");
    assertThat(page.locator("#facts")).not().containsText("not yet");
    // It has its place on the page before its bytes have come.
    assertThat(
            (Integer)
                page.locator("#outputs img")
                    .evaluate("img => img.decode().then(() => img.naturalWidth)"))
        .isEqualTo(384);
    assertThat(page.locator(".timeline .seg")).not().hasCount(0);

    // Canceled: what it means for the wallet is said before.
    button(page, "Again with changes").click();
    assertThat(page.getByLabel("Prompt")).hasValue("a red fox");
    page.getByLabel("Delay", new Page.GetByLabelOptions().setExact(true)).fill("120");
    button(page, "Make it").click();
    page.waitForURL("**/console/jobs/*");
    String slow = lastPart(page);
    await().until(() -> rig.admin().state(slow).equals("running"));
    assertThat(page.locator("#standing")).containsText("running");
    button(page, "Cancel …").click();
    assertThat(page.locator("details.ask[open]")).containsText("1 credit");
    button(page, "Cancel the job").click();
    await().until(() -> rig.admin().state(slow).equals("canceled"));
    assertThat(page.locator("#standing")).containsText("canceled");

    // A failure is retried from the list.
    String failed =
        rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"x\",\"fail\":\"permanent\"");
    await().until(() -> rig.admin().state(failed).equals("failed"));
    page.navigate(rig.url("/console/jobs?q=state:failed"));
    page.getByLabel("Select " + Words.shortId(failed)).check();
    assertThat(page.locator("#picked")).hasText("1 selected");
    button(page, "Retry …").click();
    assertThat(page.locator("main")).containsText("1 credit are held anew");
    button(page, "Yes, retry 1 job").click();
    await().until(() -> rig.admin().get("/api/jobs/" + failed).good().path("attempt").asInt() == 2);
    assertThat(chromium.complaints()).isEmpty();
    page.context().close();
  }

  @Test
  void a_reviewer_decides_by_keyboard_and_an_operator_drains_a_worker() {
    String first =
        rig.admin().askedAs("default", "sketch/proof", "\"prompt\":\"a boat\",\"variants\":2");
    String second =
        rig.admin().askedAs("default", "sketch/proof", "\"prompt\":\"a tree\",\"variants\":1");
    await()
        .until(() ->
            rig.admin().state(first).equals("waiting_review")
                && rig.admin().state(second).equals("waiting_review"));
    Page page = signedIn(chromium.window());
    page.navigate(rig.url("/console/review"));
    // The newest is first: j moves to the older one, of which one picture is let through.
    page.keyboard().press("j");
    Locator current = page.locator(".item[aria-current]");
    assertThat(current).containsText("a boat");
    current.locator("input[type=checkbox]").first().uncheck();
    page.locator("h1").click();
    assertThat(page.locator(".review[data-ready]")).hasCount(1);
    page.keyboard().press("a");
    await().until(() -> rig.admin().state(first).equals("completed"));
    assertThat(rig.admin().get("/api/jobs/" + first).good().path("outputs").size()).isEqualTo(1);
    // A key that is pressed before the next page is there is lost.
    page.waitForURL("**/console/review?done=approved**");
    assertThat(page.locator(".item")).hasCount(1);
    assertThat(page.locator(".review[data-ready]")).hasCount(1);
    page.keyboard().press("x");
    page.keyboard().press("Enter");
    await().until(() -> rig.admin().state(second).equals("rejected"));
    page.waitForURL("**/console/review?done=declined**");

    FleetRig.register(
            rig.admin(),
            FleetRig.SECRET,
            "{\"worker_id\":\"gpu-1\",\"max_concurrency\":2,\"workflow_slugs\":[\"upscale\"]}")
        .good();
    page.navigate(rig.url("/console/workers"));
    button(page, "Drain").click();
    assertThat(page.locator("td .pill")).containsText("draining");
    assertThat(rig.admin().get("/api/admin/workers/gpu-1").good().path("status").asString())
        .isEqualTo("draining");
    assertThat(chromium.complaints()).isEmpty();
    page.context().close();
  }

  @Test
  void a_file_is_dropped_in_and_used() {
    String job = rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"a whale\"");
    await().until(() -> rig.admin().state(job).equals("completed"));
    Page page = signedIn(chromium.window());
    byte[] png =
        page.request()
            .get(
                rig.url(
                    "/console/files/"
                        + rig.admin()
                            .get("/api/jobs/" + job)
                            .good()
                            .at("/outputs/0/id")
                            .asString()))
            .body();
    page.navigate(rig.url("/console/studio/upscale/double"));
    page.locator("input[type=file]").setInputFiles(new FilePayload("whale.png", "image/png", png));
    assertThat(page.locator(".drop .said")).hasText("whale.png is here.");
    button(page, "Make it").click();
    assertThat(page.locator("#standing")).containsText("Why it waits");
    assertThat(page.locator("#standing")).containsText("No worker");
    page.navigate(rig.url("/console/library?kind=input"));
    assertThat(page.locator(".gallery")).containsText("whale.png");
    assertThat(chromium.complaints()).isEmpty();
    page.context().close();
  }

  @Test
  void a_live_page_goes_on_after_the_server_was_restarted() {
    Page page = signedIn(chromium.window());
    String slow =
        rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"y\",\"delay_seconds\":12");
    page.navigate(rig.url("/console/jobs/" + slow));
    assertThat(page.locator("#connection")).hasText("live");
    rig.restart();
    assertThat(page.locator("#outputs img")).isVisible(SOON);
    assertThat(page.locator("#standing")).containsText("completed");
    // A browser says by itself that a connection was lost; nothing else may be wrong.
    assertThat(chromium.complaints())
        .allMatch(text -> text.contains("net::ERR") || text.contains("Failed to fetch"));
    page.context().close();
  }

  @Test
  void rows_never_jump_but_news_are_told() {
    Page page = signedIn(chromium.window());
    rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"first\"");
    page.navigate(rig.url("/console/jobs"));
    int rows = page.locator("tbody tr").count();
    rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"second\"");
    assertThat(page.locator("#news")).containsText("1 new, show");
    assertThat(page.locator("tbody tr")).hasCount(rows);
    page.locator("#news a").click();
    assertThat(page.locator("tbody tr")).hasCount(rows + 1);
    page.context().close();
  }

  /** One that nobody hears, with a delivery. */
  private static String webhook() {
    String made =
        rig.admin()
            .post(
                "/api/admin/webhooks",
                "{\"url\":\"https://hooks.invalid/a/rather/long/path/that/must/not/push\"}")
            .good()
            .path("id")
            .asString();
    rig.admin().post("/api/admin/webhooks/" + made + "/test", "").good();
    return made;
  }

  private static String delivery(String webhook) {
    return rig.admin()
        .get("/api/admin/webhooks/" + webhook + "/deliveries")
        .good()
        .at("/items/0/id")
        .asString();
  }

  @Test
  void a_webhook_is_added_tested_and_removed_and_a_file_is_checked_by_hand() {
    Page page = signedIn(chromium.window());
    page.keyboard().press("g");
    page.keyboard().press("h");
    page.waitForURL("**/console/webhooks");
    page.getByLabel("Address").fill("https://hooks.invalid/hand");
    page.getByText("everything but progress").first().click();
    button(page, "Add the webhook").click();
    assertThat(page.locator("#secret")).containsText("whsec_");
    button(page, "I have it").click();
    button(page, "Send a test").click();
    assertThat(page.locator("main")).containsText("A test is on its way");
    page.getByText("webhook.test").first().click();
    assertThat(page.locator("#payload")).containsText("webhook.test");
    page.locator("main").getByText("hooks.invalid/hand").first().click();
    button(page, "Delete …").click();
    button(page, "Delete the webhook").click();
    page.waitForURL("**/console/webhooks?done=removed");

    page.navigate(rig.url("/console/catalogue/check"));
    page.getByLabel("Or take a file")
        .setInputFiles(new FilePayload("clip.yaml", "text/yaml", "workflow: clip".getBytes(UTF_8)));
    assertThat(page.getByLabel("Name of the file")).hasValue("clip.yaml");
    button(page, "Check it").click();
    assertThat(page.locator("section[role=alert]")).containsText("executor");
    assertThat(chromium.complaints()).isEmpty();
    page.context().close();
  }

  @Test
  void every_page_is_accessible_in_both_themes_and_fits_a_phone() {
    String done = rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"an owl\"");
    rig.admin().askedAs("default", "sketch/proof", "\"prompt\":\"a sign\",\"variants\":2");
    String hook = webhook();
    await().until(() -> rig.admin().state(done).equals("completed"));
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      Page page = chromium.window(360, 740, scheme);
      page.navigate(rig.url("/console/sign-in"));
      Chromium.requireAccessible(page, "sign-in " + scheme);
      Chromium.requireNoSidewaysScroll(page, "sign-in");
      signedIn(page);
      for (String path : PAGES) {
        page.navigate(rig.url("/console/" + path));
        Chromium.requireNoSidewaysScroll(page, path);
        Chromium.requireAccessible(page, path + " " + scheme);
      }
      page.navigate(rig.url("/console/jobs/" + done));
      Chromium.requireNoSidewaysScroll(page, "a job");
      Chromium.requireAccessible(page, "a job " + scheme);
      for (String path : List.of("", "/deliveries/" + delivery(hook))) {
        page.navigate(rig.url("/console/webhooks/" + hook + path));
        Chromium.requireNoSidewaysScroll(page, "a webhook" + path);
        Chromium.requireAccessible(page, "a webhook" + path + " " + scheme);
      }
      page.navigate(rig.url("/console/jobs/" + done + "/receipt"));
      Chromium.requireAccessible(page, "a receipt " + scheme);
      page.setViewportSize(1280, 860);
      page.navigate(rig.url("/console/overview"));
      page.keyboard().press("?");
      assertThat(page.locator("#shortcuts")).isVisible();
      Chromium.requireAccessible(page, "the sheet of keys " + scheme);
      page.context().close();
    }
    assertThat(chromium.complaints()).isEmpty();
  }

  @Test
  void theme_and_time_zone_can_be_chosen() {
    Page page = signedIn(chromium.window());
    page.getByText("dark", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
    page.getByText("UTC", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("html")).hasAttribute("data-zone", "utc");
    page.navigate(rig.url("/console/wallet"));
    assertThat(page.locator("tbody time").first()).containsText("UTC");
    page.context().close();
  }
}
