package dev.millrace.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator's way with a tenant, from its making to its removal, in a real browser. */
class TenantsBrowserTest {

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
      rig.examine();
      rig.close();
      chromium.close();
    }
  }

  private static Page signedIn(Page page, String key) {
    page.navigate(rig.url("/console/sign-in"));
    page.getByLabel("API key").fill(key);
    page.getByText("Sign in").last().click();
    page.waitForURL("**/console/overview");
    return page;
  }

  /** For whoever wants to look: {@code -Dmillrace.looks=FOLDER}. */
  private static void look(Page page, String name) {
    String looks = System.getProperty("millrace.looks", "");
    if (!looks.isEmpty()) {
      page.screenshot(
          new Page.ScreenshotOptions()
              .setFullPage(true)
              .setPath(Path.of(looks).resolve(name + ".png")));
    }
  }

  @Test
  void an_operator_makes_limits_suspends_exports_and_removes_a_tenant() {
    Page page = signedIn(chromium.window(1120, 690, ColorScheme.LIGHT), rig.key());
    page.navigate(rig.url("/console/tenants"));
    page.locator("#slug").fill("acme");
    page.locator("#name").fill("Acme Inc.");
    page.getByText("Make the tenant").click();
    String secret = page.locator("pre").first().innerText().strip();
    assertThat(secret).startsWith("mr_");
    Client admin = rig.admin().with(secret);
    for (String user : new String[] {"ada", "bob", "berta"}) {
      admin
          .post(
              "/api/admin/wallets/credit",
              "{\"user\":\"%s\",\"amount\":1200,\"idempotency_key\":\"k\"}".formatted(user))
          .expect(200);
    }
    admin.awaitJob(admin.askedAs("ada", "sketch/draft", "\"prompt\":\"x\""), "completed");
    admin
        .post(
            "/api/jobs",
            """
            {"effect":"sketch/draft","user":"bob","run_at":"2199-01-01T00:00:00Z",
             "input":{"prompt":"later"}}
            """)
        .expect(201);

    shownAndLimited(page);
    suspendedAndRemoved(page);
    page.context().close();
    assertThat(chromium.complaints()).allMatch(line -> line.contains("409"));
  }

  private static void shownAndLimited(Page page) {
    page.navigate(rig.url("/console/tenants?search=ACME"));
    look(page, "tenants");
    page.locator("main").getByText("acme", exactly()).click();
    assertThat(page.locator("h1")).hasText("acme");
    page.locator("#active_jobs").fill("7");
    page.getByText("Set these limits").click();
    assertThat(page.locator("#active_jobs")).hasValue("7");
    look(page, "tenant");
    page.getByLabel("The beginning of a user’s id").fill("b");
    page.getByText("Find").click();
    assertThat(page.locator("main tbody tr")).hasCount(2);
  }

  private static void suspendedAndRemoved(Page page) {
    page.getByText("Suspend …").click();
    page.getByText("Suspend the tenant").click();
    assertThat(page.locator("main .head")).containsText("suspended");
    Download archive = page.waitForDownload(() -> page.getByText("Export all it has").click());
    assertThat(archive.suggestedFilename()).isEqualTo("acme.tar.gz");
    page.getByText("Remove …").click();
    look(page, "tenant-remove");
    page.getByText("Remove the tenant").click();
    assertThat(page.locator("main")).containsText("Export the tenant first");
    page.goBack();
    page.getByText("Remove …").click();
    page.getByText("Nobody needs an export").click();
    page.getByText("Remove the tenant").click();
    assertThat(page.locator("main .head")).containsText("removing");
    look(page, "tenant-removing");

    rig.database()
        .execute(
            "update tenant set suspended_at = suspended_at - interval '1 h' where slug = 'acme'");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !rig.admin().get("/api/admin/tenants/acme").at("/removed_at").isEmpty());
    page.navigate(rig.url("/console/tenants/acme"));
    assertThat(page.locator("main")).containsText("Nothing is left of it");
  }

  @Test
  void pages_of_tenants_fit_a_phone_and_are_for_operators_alone() {
    Page phone = signedIn(chromium.window(360, 720, ColorScheme.DARK), rig.key());
    phone.navigate(rig.url("/console/tenants/default"));
    look(phone, "tenant-phone");
    assertThat(
            (Boolean)
                phone.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"))
        .isTrue();
    phone.navigate(rig.url("/console/tenants"));
    look(phone, "tenants-phone");
    phone.context().close();

    Page admins =
        signedIn(chromium.window(1120, 690, ColorScheme.DARK), rig.newSecret("admin", ""));
    assertThat(admins.locator("nav").getByText("Tenants", exactly())).hasCount(0);
    admins.navigate(rig.url("/console/ledger"));
    look(admins, "ledger-dark");
    admins.context().close();
  }

  private static Locator.GetByTextOptions exactly() {
    return new Locator.GetByTextOptions().setExact(true);
  }
}
