package dev.millrace.providers.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.fetch.FetchResult.Fetched;
import dev.millrace.providers.fetch.FetchResult.Refused;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nothing that isn't public is reached, however it is written. */
class HostileUrlsTest {

  /** Nothing here takes long unless the machine does. */
  private static final FetchLimits PATIENT =
      FetchLimits.USUAL.withConnect(Duration.ofSeconds(10)).withTotal(Duration.ofSeconds(20));

  /** Listens on every address of this machine, so that any way in would be noticed. */
  private final Site sink = new Site("0.0.0.0");

  private final Site site = new Site();
  private final HostileUrls hostile = HostileUrls.of(sink.port());

  @AfterEach
  void close() {
    sink.close();
    site.close();
  }

  @Test
  void there_are_enough_spellings_to_mean_something() {
    assertThat(hostile.urls()).hasSizeGreaterThan(1_500).doesNotHaveDuplicates();
  }

  @Test
  void every_hostile_spelling_is_refused_before_anything_is_sent() {
    FetchClient client = new FetchClient(onTheSinksPort(AllowList.NOTHING), this::resolve);

    Map<String, FetchResult> passed = new LinkedHashMap<>();
    for (String url : hostile.urls()) {
      FetchResult result = client.fetch(FetchRequest.get(url).within(PATIENT));
      if (!(result instanceof Refused)) {
        passed.put(url, result);
      }
    }

    assertThat(passed).isEmpty();
    assertThat(sink.connections()).isZero();
  }

  @Test
  void every_hostile_spelling_is_refused_as_the_target_of_a_redirect() {
    FetchClient client =
        new FetchClient(
            new FetchPolicy(
                Set.of(80, 443, sink.port()), AllowList.parse(Site.ADDRESS + ":" + site.port())),
            this::resolve);
    List<String> targets =
        hostile.urls().stream()
            .filter(url -> url.matches("\\p{Graph}+") && url.contains("://"))
            .toList();
    assertThat(targets).hasSizeGreaterThan(500);

    Map<String, FetchResult> passed = new LinkedHashMap<>();
    for (String target : targets) {
      site.redirect("/go", 302, target);
      FetchResult result = client.fetch(FetchRequest.get(site.url("/go")).within(PATIENT));
      if (!(result instanceof Refused)) {
        passed.put(target, result);
      }
    }

    assertThat(passed).isEmpty();
    assertThat(sink.connections()).isZero();
    assertThat(site.connections()).isEqualTo(targets.size());
  }

  @Test
  void the_sink_would_have_noticed() {
    sink.page("/", "inside");
    FetchClient careless =
        new FetchClient(onTheSinksPort(AllowList.parse("127.0.0.0/8")), this::resolve);

    assertThat(careless.fetch(FetchRequest.get("http://127.0.0.1:" + sink.port() + "/")))
        .isInstanceOf(Fetched.class);
    assertThat(
            careless.fetch(
                FetchRequest.get(
                    hostile.urls().stream()
                        .filter(url -> url.contains("a127-0-0-1.attacker"))
                        .findFirst()
                        .orElseThrow())))
        .isInstanceOf(Fetched.class);
    assertThat(sink.connections()).isEqualTo(2);
  }

  @Test
  void one_private_address_among_public_ones_is_enough() {
    FetchClient client =
        new FetchClient(
            onTheSinksPort(AllowList.NOTHING),
            _ -> List.of(InetAddress.ofLiteral("8.8.8.8"), InetAddress.ofLiteral("127.0.0.1")));

    assertThat(client.fetch(FetchRequest.get("http://mixed.example.com:" + sink.port() + "/")))
        .isEqualTo(new Refused(FetchResult.Reason.ADDRESS));
    assertThat(sink.connections()).isZero();
  }

  @Test
  void names_that_are_never_public_are_refused_whatever_they_resolve_to() {
    FetchClient client =
        new FetchClient(FetchPolicy.PUBLIC_WEB, _ -> List.of(InetAddress.ofLiteral("8.8.8.8")));

    for (String name :
        List.of(
            "localhost",
            "LOCALHOST.",
            "intranet",
            "app.localhost",
            "printer.local",
            "metadata.google.internal",
            "router.home.arpa",
            "hidden.onion")) {
      assertThat(client.fetch(FetchRequest.get("http://" + name + "/").within(PATIENT)))
          .as(name)
          .isEqualTo(new Refused(FetchResult.Reason.ADDRESS));
    }
  }

  @Test
  void a_port_that_is_not_allowed_is_refused_before_the_name_is_resolved() {
    FetchClient client =
        new FetchClient(
            FetchPolicy.PUBLIC_WEB,
            name -> {
              throw new AssertionError("resolved " + name);
            });

    for (int port : new int[] {22, 25, 6379, 8080, 5432, 65_535}) {
      assertThat(client.fetch(FetchRequest.get("http://shop.example.com:" + port + "/")))
          .isEqualTo(new Refused(FetchResult.Reason.PORT));
    }
  }

  private FetchPolicy onTheSinksPort(AllowList allowed) {
    return new FetchPolicy(Set.of(80, 443, sink.port()), allowed);
  }

  private List<InetAddress> resolve(String name) {
    InetAddress address =
        name.equals(HostileUrls.GOOD_NAME)
            ? InetAddress.ofLiteral(Site.ADDRESS)
            : hostile.names().get(name.toLowerCase(Locale.ROOT));
    if (address == null) {
      // What a careless resolver of the operating system would make of it.
      return List.of(InetAddress.ofLiteral("127.0.0.1"));
    }
    return List.of(address);
  }
}
