package dev.millrace.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.millrace.server.rig.OpenIdProvider;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.testkit.net.KeptPort;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real browser between the console and a provider of another site, where cookies that are for our
 * own pages alone don't come along, and a form may lead nowhere else.
 */
class ProviderSignInBrowserTest {

  @TempDir Path folder;

  @Test
  void somebody_signs_in_by_the_provider_and_out_again() {
    int port = KeptPort.next();
    String url = "http://127.0.0.1:" + port;
    try (Chromium chromium = Chromium.start();
        OpenIdProvider provider = OpenIdProvider.start(url, "token");
        ServerRig _ =
            ServerRig.start(
                folder,
                Stream.concat(
                        Stream.of(provider.settings("open-console")),
                        Stream.of("HTTP_PORT=" + port))
                    .toArray(String[]::new))) {
      Page page = chromium.window();
      page.route("**/*.googleapis.com/**", Route::abort);
      page.navigate(url + "/console/keys");
      Chromium.requireAccessible(page, "signing in");
      page.getByText("Sign in with Example ID").click();
      page.locator("input[name=login]").fill("adam");
      page.locator("input[name=password]").fill("whatever");
      page.locator("button[type=submit]").click();
      page.getByText("Continue").click();
      page.waitForURL(url + "/console/keys");
      assertThat(page.locator("h1")).containsText("keys");
      chromium.complaints();

      page.navigate(url + "/console/studio");
      page.getByText("Sign out").click();
      page.waitForURL(provider.issuer() + "/session/end**");
      assertThat(chromium.complaints())
          .noneMatch(complaint -> complaint.contains("Content Security Policy"));
      page.navigate(url + "/console/studio");
      assertThat(page.url()).contains("/console/sign-in");
    }
  }
}
