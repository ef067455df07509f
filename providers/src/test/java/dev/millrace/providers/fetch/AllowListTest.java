package dev.millrace.providers.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an operator allows is reached, and no more. */
class AllowListTest {

  private static final AllowList LIST =
      AllowList.parse(
          "render.internal:8188, *.media.local\n10.1.0.0/16 10.2.0.0/16:9000,[fd00:1::/32]:443"
              + " fd00:2::/32 localhost 192.168.7.7:80");

  @Test
  void names_ranges_and_ports_are_allowed_as_written() {
    for (String[] row :
        new String[][] {
          {"render.internal", "10.9.9.9", "8188"},
          {"a.media.local", "192.168.1.1", "80"},
          {"b.a.media.local", "127.0.0.1", "443"},
          {"x.example.com", "10.1.255.255", "80"},
          {"x.example.com", "10.2.0.1", "9000"},
          {"x.example.com", "fd00:1::5", "443"},
          {"x.example.com", "fd00:2::5", "80"},
          {"localhost", "127.0.0.1", "80"},
          {"x.example.com", "192.168.7.7", "80"},
        }) {
      assertThat(permits(row)).as(String.join(" ", row)).isTrue();
    }
  }

  @Test
  void what_is_beside_an_entry_is_not_allowed() {
    for (String[] row :
        new String[][] {
          {"render.internal", "10.9.9.9", "80"},
          {"xrender.internal", "10.9.9.9", "8188"},
          {"a.render.internal", "10.9.9.9", "8188"},
          {"media.local", "192.168.1.1", "80"},
          {"amedia.local", "192.168.1.1", "80"},
          {"a.media.local", "192.168.1.1", "8080"},
          {"x.example.com", "10.3.0.1", "80"},
          {"x.example.com", "10.2.0.1", "80"},
          {"x.example.com", "fd00:1::5", "80"},
          {"x.example.com", "127.0.0.1", "80"},
          {"x.example.com", "192.168.7.7", "443"},
        }) {
      assertThat(permits(row)).as(String.join(" ", row)).isFalse();
    }
  }

  @Test
  void an_entry_that_cannot_be_read_is_quoted() {
    for (String entry :
        List.of(
            "10.0.0.0/33",
            "10.0.0.1/8",
            "a b!",
            "http://x",
            "x:0",
            "x:99999",
            "*.10.0.0.1",
            "0177.0.0.1",
            "[::1",
            "fe80::1%eth0")) {
      assertThatIllegalArgumentException()
          .as(entry)
          .isThrownBy(() -> AllowList.parse("good.example " + entry.replace(' ', '!')))
          .withMessageContaining("'");
    }
  }

  @Test
  void a_url_of_the_operators_own_is_reached_wherever_it_is() throws FetchTrouble {
    for (String url :
        List.of("http://localhost:11434/v1", "http://127.0.0.1:8000", "http://[::1]:80/v1")) {
      WebAddress address = WebAddress.parse(url);
      List<InetAddress> resolved =
          List.of(InetAddress.ofLiteral(url.contains("[") ? "::1" : "127.0.0.1"));
      FetchPolicy policy = FetchPolicy.only(URI.create(url));

      assertThat(policy.objection(address)).isEmpty();
      assertThat(policy.objection(address, resolved)).isEmpty();
      assertThat(policy.objection(WebAddress.parse("http://localhost:81/"), resolved)).isPresent();
      assertThat(policy.objection(WebAddress.parse("http://shop.example.com/"))).isNotNull();
    }
  }

  private static boolean permits(String[] row) {
    return LIST.permits(
        new Host.Name(row[0]),
        InetAddress.ofLiteral(row[1]),
        Integer.parseInt(row[2]),
        new FetchPolicy(Set.of(80, 443), LIST));
  }
}
