package dev.millrace.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of {@code docs/browsers.md}, served by another server than Millrace, in a real browser.
 * Its backend gives out what the test says.
 */
class ForeignPageBrowserTest {

  private static final Path GUIDE = Path.of("../docs/browsers.md");

  private static final String CATALOGUE =
      """
      workflow: portrait
      title: Portrait
      executor: sketch
      properties:
        photo: {type: file, media_types: [image/png]}
        prompt: {type: string}
        width: {type: integer, default: 256}
        height: {type: integer, default: 256}
        delay_seconds: {type: integer, default: 1}
      required: [photo, prompt]
      effects:
        - {effect: portrait/plain, title: Plain, credits_cost: 1}
      """;

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Chromium chromium;
  private static Client admin;
  private static Client foreign;

  @BeforeAll
  static void open() throws IOException {
    chromium = Chromium.start();
    Path catalogue = Files.createDirectory(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("portrait.yaml"), CATALOGUE);
    rig = ServerRig.start(folder, "CATALOGUE_DIR=" + catalogue);
    admin = rig.admin();
    foreign =
        admin.with(
            admin
                .post("/api/admin/tenants", "{\"slug\":\"t%s\"}".formatted(UUID.randomUUID()))
                .expect(201)
                .at("/admin_key"));
  }

  @AfterAll
  static void close() {
    if (rig != null) {
      rig.examine();
      rig.close();
      chromium.close();
    }
  }

  /** A product's server: its page, and the token that its backend gets with its key. */
  private record Product(HttpServer server, String origin) implements AutoCloseable {

    static Product of(Client key, String user) throws IOException {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      String page = code("html").replace("https://millrace.example.com", rig.url(""));
      server.createContext("/", exchange -> answer(exchange, "text/html", page));
      server.createContext(
          "/token",
          exchange ->
              answer(
                  exchange,
                  "application/json",
                  key.post("/api/user-tokens", "{\"user\":\"%s\",\"jobs\":3}".formatted(user))
                      .expect(201)
                      .text()));
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.start();
      return new Product(server, "http://localhost:" + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange, String type, String text) throws IOException {
      byte[] bytes = text.getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  /** The first code of this language in the guide. */
  private static String code(String language) {
    try {
      Matcher block =
          Pattern.compile("(?s)```" + language + "\\n(.*?)```").matcher(Files.readString(GUIDE));
      assertThat(block.find()).isTrue();
      return block.group(1);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void allow(Client tenant, String... origins) {
    String list = String.join(",", List.of(origins).stream().map(o -> "\"" + o + "\"").toList());
    tenant.put("/api/admin/origins", "{\"origins\":[%s]}".formatted(list)).expect(200);
  }

  private static Page asked(Product product) throws IOException {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB), "png", png);
    Page page = chromium.window();
    page.navigate(product.origin() + "/");
    page.locator("input[name=photo]")
        .setInputFiles(new FilePayload("me.png", "image/png", png.toByteArray()));
    page.getByText("Draw").click();
    return page;
  }

  @Test
  void a_page_of_an_allowed_origin_uploads_submits_watches_and_shows_with_a_token_only()
      throws IOException {
    String user = "u-" + UUID.randomUUID();
    rig.credit(user, 10);
    try (Product product = Product.of(admin, user)) {
      allow(admin, product.origin());

      Page page = asked(product);

      assertThat(page.locator("#news")).hasText("completed");
      assertThat(page.locator("#result")).isVisible();
      page.waitForFunction("document.getElementById('result').naturalWidth === 256");
      assertThat(page.locator("#progress")).hasAttribute("value", "100");
      String id = admin.get("/api/jobs?user=" + user).expect(200).at("/items/0/id");
      int events = admin.job(id).json().path("last_event_id").asInt();
      Object byFetch =
          page.evaluate(
              code("js")
                  + """
                  ;(async ([millrace, token, id]) => {
                    const ids = [];
                    for await (const event of events(millrace, token, id)) ids.push(event.id);
                    return ids.length;
                  })
                  """,
              List.of(
                  rig.url(""),
                  admin
                      .post("/api/user-tokens", "{\"user\":\"%s\"}".formatted(user))
                      .expect(201)
                      .at("/token"),
                  id));
      assertThat(byFetch).isEqualTo(events);
      page.context().close();
    }
    assertThat(chromium.complaints()).isEmpty();
  }

  @Test
  void a_page_of_another_origin_gets_nothing() throws IOException {
    try (Product product = Product.of(admin, "default")) {
      allow(admin, "http://localhost:1");

      Page page = asked(product);

      assertThat(page.locator("#news")).hasText("TypeError: Failed to fetch");
      page.context().close();
    }
    assertThat(chromium.complaints()).anyMatch(line -> line.contains("CORS"));
  }

  @Test
  void a_token_of_another_tenant_is_of_no_use_to_the_page() throws IOException {
    try (Product product = Product.of(foreign, "default")) {
      allow(admin, product.origin());

      Page page = asked(product);

      assertThat(page.locator("#news")).hasText("TypeError: Failed to fetch");
      assertThat(foreign.get("/api/files").expect(200).json().path("items")).isEmpty();
      page.context().close();
    }
    assertThat(chromium.complaints()).anyMatch(line -> line.contains("CORS"));
  }
}
