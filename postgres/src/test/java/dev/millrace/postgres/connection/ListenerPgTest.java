package dev.millrace.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.Database;
import dev.millrace.testkit.TestDatabase;
import dev.millrace.testkit.net.TcpSwitch;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A connection that listens notices when nobody speaks to it any more. */
class ListenerPgTest {

  @Test
  void a_listener_whose_packets_are_swallowed_listens_anew() throws Exception {
    try (TestDatabase place = TestDatabase.create()) {
      URI real = URI.create(place.jdbcUrl().substring("jdbc:".length()));
      try (TcpSwitch network = new TcpSwitch(real.getPort())) {
        String url =
            place.jdbcUrl().replace("localhost:" + real.getPort(), "127.0.0.1:" + network.port());
        BlockingQueue<Signal> heard = new LinkedBlockingQueue<>();
        try (Database database =
                Database.open(new Database.Access(url, place.user(), place.password(), 6));
            var _ = database.wakeups().listen(heard::add)) {
          assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo(Signal.EVERYTHING);
          network.swallow();
          // Without a look of its own it would wait for the socket's whole time, or for ever.
          assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo(Signal.EVERYTHING);
          place.execute("select pg_notify('millrace', 'other|w7,;j')");
          assertThat(heard.poll(1, TimeUnit.MINUTES).workflows()).containsExactly(7);
        }
      }
    }
  }
}
