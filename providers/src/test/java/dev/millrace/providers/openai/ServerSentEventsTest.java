package dev.millrace.providers.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A stream of events is read as its standard says, wherever its bytes are cut. */
class ServerSentEventsTest {

  private static final String BOM = "\ufeff";
  private static final int TOO_LONG = (4 << 20) + 10;

  record Sample(String stream, List<String> events) {}

  static List<Sample> samples() {
    return List.of(
        new Sample("data: one\n\ndata: two\n\n", List.of("one", "two")),
        new Sample("data: one\r\n\r\ndata: two\r\n\r\n", List.of("one", "two")),
        new Sample("data: one\r\rdata: two\r\r", List.of("one", "two")),
        new Sample("data: one\r\ndata: more\r\n\r\ndata: two\n\r\n", List.of("one\nmore", "two")),
        new Sample("data: one\n\r\n\rdata: two\r\n\n", List.of("one", "two")),
        new Sample(BOM + "data: one\n\ndata: two\n\n", List.of("one", "two")),
        new Sample(BOM + "data: one\r\rdata: two\r\r", List.of("one", "two")),
        new Sample(BOM + "\r\n: hello\r\n\r\ndata: one\r\n\r\n", List.of("one")),
        new Sample("data: one\n\n" + BOM + "data: lost\n\ndata: two\n\n", List.of("one", "two")),
        new Sample("data: " + BOM + "kept\n\n", List.of(BOM + "kept")),
        new Sample(
            "data: Grüße 🎉 世界\r\rdata: \ud83e\uddd1\u200d\ud83d\ude80\r\n\r\n",
            List.of("Grüße 🎉 世界", "\ud83e\uddd1\u200d\ud83d\ude80")),
        new Sample("data:one\n\ndata:  two\n\n", List.of("one", " two")),
        new Sample("data\n\ndata:\n\ndata\ndata: x\n\n", List.of("\nx")),
        new Sample("event: a\nid: 1\nretry: 5\nunknown\n\n: ping\n\ndata: x\n\n", List.of("x")),
        new Sample("database: no\ndata : no\n data: no\ndata: x\n\n", List.of("x")),
        new Sample("data: whole\n\ndata: cut off\n", List.of("whole")),
        new Sample("data: whole\r\rdata: cut off\r", List.of("whole")),
        new Sample("data: a\u2028b\u0085c\u000bd\n\n", List.of("a\u2028b\u0085c\u000bd")),
        new Sample("", List.of()),
        new Sample(BOM, List.of()));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void every_legal_line_end_and_mark_is_understood_wherever_the_bytes_are_cut(Sample sample)
      throws IOException {
    byte[] bytes = sample.stream().getBytes(UTF_8);

    for (int cut = 0; cut <= bytes.length; cut++) {
      InputStream pieces =
          new SequenceInputStream(
              new ByteArrayInputStream(bytes, 0, cut),
              new ByteArrayInputStream(bytes, cut, bytes.length - cut));
      assertThat(all(pieces)).as("cut at %d", cut).isEqualTo(sample.events());
    }
    assertThat(all(dripping(bytes))).isEqualTo(sample.events());
  }

  @Test
  void an_event_that_ends_with_a_carriage_return_is_not_kept_waiting_for_the_next_byte()
      throws IOException {
    byte[] bytes = "data: now\r\r".getBytes(UTF_8);
    InputStream silent =
        new InputStream() {
          private int at;

          @Override
          public int read() throws IOException {
            if (at == bytes.length) {
              throw new IOException("whoever reads on would wait");
            }
            return bytes[at++];
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            into[offset] = (byte) read();
            return 1;
          }
        };

    assertThat(new ServerSentEvents(silent).next()).isEqualTo("now");
  }

  @Test
  void a_broken_mark_is_a_part_of_the_line() throws IOException {
    byte[] bytes = "??data: lost\n\ndata: x\n\n".getBytes(UTF_8);
    bytes[0] = (byte) 0xef;
    bytes[1] = (byte) 0xbb;

    assertThat(all(dripping(bytes))).containsExactly("x");
  }

  @Test
  void lines_and_events_without_end_are_not_read_to_it() {
    List<String> endless =
        List.of(
            "data: " + "x".repeat(TOO_LONG),
            ": " + "x".repeat(TOO_LONG),
            "data:x\n".repeat(TOO_LONG / 2),
            "data\r".repeat(TOO_LONG));

    for (String stream : endless) {
      InputStream bytes = new ByteArrayInputStream(stream.getBytes(UTF_8));
      assertThatThrownBy(() -> all(bytes)).isInstanceOf(ServerSentEvents.TooLong.class);
    }
  }

  private static List<String> all(InputStream stream) throws IOException {
    ServerSentEvents events = new ServerSentEvents(stream);
    List<String> all = new ArrayList<>();
    for (String data = events.next(); data != null; data = events.next()) {
      all.add(data);
    }
    return all;
  }

  /** One byte at a time. */
  private static InputStream dripping(byte[] bytes) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        return super.read(into, offset, Math.min(1, length));
      }
    };
  }
}
