package dev.millrace.providers.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.fetch.FetchResult.Fetched;
import dev.millrace.providers.fetch.FetchResult.Refused;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A name that changes its mind between the look and the connection gains nothing. */
class RebindingTest {

  private final Site sink = new Site("127.0.0.1");
  private final Site site = new Site();
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void close() {
    sink.close();
    site.close();
  }

  @Test
  void the_connection_goes_to_the_address_that_was_looked_at() {
    // Both listen on the same port, so a second look would lead to the twin.
    List<ServerSocket> both = Ports.twins(Site.ADDRESS, "127.0.0.1");
    try (Site first = new Site(both.getFirst());
        Site twin = new Site(both.getLast())) {
      first.page("/", "outside");
      twin.page("/", "inside");
      FetchResult result =
          new FetchClient(first.policy(), first(Site.ADDRESS))
              .fetch(FetchRequest.get(first.url("/")));

      assertThat(result).isInstanceOf(Fetched.class);
      assertThat(((Fetched) result).body().text()).isEqualTo("outside");
      assertThat(asked).hasValue(1);
      assertThat(twin.connections()).isZero();
    }
  }

  @Test
  void a_public_first_answer_never_leads_to_a_private_second_one() {
    FetchClient client =
        new FetchClient(
            new FetchPolicy(Set.of(80, 443, sink.port()), AllowList.NOTHING), first("8.8.8.8"));

    FetchResult result =
        client.fetch(
            FetchRequest.get(sink.url("/"))
                .within(
                    FetchLimits.USUAL
                        .withConnect(Duration.ofMillis(300))
                        .withTotal(Duration.ofSeconds(1))));

    assertThat(result).isInstanceOfAny(FetchResult.TimedOut.class, FetchResult.Unreachable.class);
    assertThat(asked).hasValue(1);
    assertThat(sink.connections()).isZero();
  }

  @Test
  void a_redirect_to_the_same_name_is_looked_up_and_judged_again() {
    site.redirect("/", 302, "/again");
    site.page("/again", "outside");

    FetchResult result = client(first(Site.ADDRESS)).fetch(FetchRequest.get(site.url("/")));

    assertThat(result).isEqualTo(new Refused(FetchResult.Reason.ADDRESS));
    assertThat(asked).hasValue(2);
    assertThat(sink.connections()).isZero();
    assertThat(site.connections()).isEqualTo(1);
  }

  private FetchClient client(NameResolver resolver) {
    return new FetchClient(site.policy(), resolver);
  }

  /** Answers with the given address once, and with loopback from then on. */
  private NameResolver first(String address) {
    return _ ->
        List.of(InetAddress.ofLiteral(asked.getAndIncrement() == 0 ? address : "127.0.0.1"));
  }
}
