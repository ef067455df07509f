package dev.millrace.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ScreenshotType;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes the pictures of the documentation: {@code ./millrace screenshots}. It is left out unless
 * somebody names the folder to write to.
 */
@EnabledIfSystemProperty(named = ScreenshotsBrowserTest.FOLDER, matches = ".+")
class ScreenshotsBrowserTest {

  static final String FOLDER = "millrace.screenshots";

  private static final long LARGEST = 150_000;

  /**
   * Copies of one job over the last hour, more of them now and then, so that charts have a shape.
   */
  private static final String PAST =
      """
      with past as (
          select clock_timestamp() - make_interval(secs => 90 + g * 8.5
                  + 120 * sin(g / 19.0) * sin(g / 7.0)) as at,
              g
          from generate_series(1, 400) as g),
      copied as (
          insert into job
          select (jsonb_populate_record(one.row, jsonb_build_object(
              'id', overlay(overlay(gen_random_uuid()::text placing
                  substr(ms, 1, 8) from 1 for 8) placing substr(ms, 9, 4) || '-7' from 10 for 6),
              'state', case when past.g % 23 = 0 then 'failed' else 'completed' end,
              'captured', case when past.g % 23 = 0 then 0 else (one.row).captured end,
              'created_at', past.at,
              'due_at', past.at,
              'started_at', past.at + make_interval(secs => 0.2 + random()),
              'finished_at', past.at + make_interval(secs => 2.5 + 3 * random())))).*
          from past
          cross join lateral (
              select lpad(to_hex((extract(epoch from past.at) * 1000)::bigint), 12, '0') as ms) as t
          cross join (
              select job as row
              from job
              where state = 'completed'
              limit 1) as one
          returning 1)
      select count(*)
      from copied
      """;

  @TempDir Path folder;

  @Test
  void the_pictures_of_the_documentation_are_taken_and_small() throws Exception {
    Path to = Path.of(Objects.requireNonNull(System.getProperty(FOLDER)));
    Files.createDirectories(to);
    try (Chromium chromium = Chromium.start();
        Receiver receiver = Receiver.open();
        ServerRig rig =
            ConsoleRig.start(
                folder,
                "FETCH_ALLOW=127.0.0.1:" + receiver.port(),
                "REPLICATE_API_TOKEN=r8_" + "x".repeat(30) + "1a2b")) {
      String hook = receiver.register(rig);
      String picture = fill(rig);
      rig.database().ask(PAST);
      receiver.rename(rig, "https://shop.example/hooks/millrace");
      Page light = signedIn(chromium.window(1120, 690, ColorScheme.LIGHT), rig);
      shoot(light, rig, "overview?span=1h", to.resolve("console-overview.png"));
      shoot(light, rig, "jobs/" + picture, to.resolve("console-job.jpg"));
      shoot(light, rig, "providers", to.resolve("console-providers.png"));
      Page dark = signedIn(chromium.window(1120, 690, ColorScheme.DARK), rig);
      shoot(dark, rig, "jobs", to.resolve("console-jobs-dark.png"));
      shoot(dark, rig, "webhooks/" + hook, to.resolve("console-webhook-dark.png"));
      dark.navigate(rig.url("/console/studio/sketch/bauhaus"));
      dark.getByLabel("Prompt").fill("a harbour in the morning");
      dark.locator("h1").click();
      assertThat(dark.locator("#curl")).containsText("harbour");
      dark.screenshot(new Page.ScreenshotOptions().setPath(to.resolve("console-studio-dark.png")));
      Page phone = signedIn(chromium.window(360, 720, ColorScheme.LIGHT), rig);
      shoot(phone, rig, "overview?span=1h", to.resolve("console-phone.png"));
    }
    try (var files = Files.list(to)) {
      for (Path file : files.filter(each -> each.toString().contains("console-")).toList()) {
        assertThat(Files.size(file)).as(file.toString()).isLessThan(LARGEST);
      }
    }
  }

  /** Some jobs of every kind, so that the pages have something to say. */
  private static String fill(ServerRig rig) {
    String shown =
        rig.admin()
            .askedAs(
                "default",
                "sketch/bauhaus",
                "\"prompt\":\"a harbour\",\"width\":512,\"height\":512");
    List<String> others =
        List.of(
            rig.admin()
                .askedAs("default", "sketch/draft", "\"prompt\":\"an owl\",\"fail\":\"once\""),
            rig.admin()
                .askedAs("default", "sketch/draft", "\"prompt\":\"x\",\"fail\":\"permanent\""),
            rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"x\",\"fail\":\"safety\""),
            rig.admin().askedAs("default", "sketch/proof", "\"prompt\":\"a boat\",\"variants\":2"),
            rig.admin().askedAs("default", "sketch/night", "\"prompt\":\"an owl\""),
            rig.admin().askedAs("default", "sketch/poster", "\"prompt\":\"a red fox\""));
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() ->
            rig.admin().state(shown).equals("completed")
                && others.stream()
                    .map(rig.admin()::state)
                    .noneMatch(state -> List.of("queued", "running", "pending").contains(state)));
    rig.admin()
        .askedAs("default", "sketch/papercut", "\"prompt\":\"a whale\",\"delay_seconds\":120");
    rig.admin().askedAs("default", "sketch/flow", "\"prompt\":\"wind\",\"delay_seconds\":120");
    rig.admin().askedAs("default", "sketch/flow", "\"prompt\":\"rain\"");
    return shown;
  }

  private static Page signedIn(Page page, ServerRig rig) {
    page.navigate(rig.url("/console/sign-in"));
    page.getByLabel("API key").fill(rig.key());
    page.getByText("Sign in").last().click();
    page.waitForURL("**/console/overview");
    return page;
  }

  private static void shoot(Page page, ServerRig rig, String path, Path to) {
    page.navigate(rig.url("/console/" + path));
    assertThat(page.locator("h1")).isVisible();
    Page.ScreenshotOptions options = new Page.ScreenshotOptions().setPath(to);
    if (to.toString().endsWith(".jpg")) {
      options.setType(ScreenshotType.JPEG).setQuality(82);
    }
    page.screenshot(options);
  }
}
