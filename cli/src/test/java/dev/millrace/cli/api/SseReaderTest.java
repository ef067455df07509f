package dev.millrace.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SseReaderTest {

  private static SseReader over(String text) {
    return new SseReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "before");
  }

  private static List<SseFrame> all(SseReader reader) throws IOException {
    List<SseFrame> frames = new ArrayList<>();
    for (SseFrame frame = reader.next(); frame != null; frame = reader.next()) {
      frames.add(frame);
    }
    return frames;
  }

  @Test
  void a_frame_has_an_id_a_type_and_data() throws IOException {
    assertThat(all(over("id: 7\nevent: job-event\ndata: {\"a\":1}\n\n")))
        .containsExactly(new SseFrame("7", "job-event", "{\"a\":1}"));
  }

  @Test
  void several_data_lines_are_joined_by_line_feeds() throws IOException {
    assertThat(all(over("data: a\ndata:\ndata: b\n\n")))
        .containsExactly(new SseFrame("before", "message", "a\n\nb"));
  }

  @Test
  void only_one_space_after_the_colon_is_dropped() throws IOException {
    assertThat(all(over("data:  a\n\ndata:b\n\ndata\n\n")))
        .extracting(SseFrame::data)
        .containsExactly(" a", "b", "");
  }

  @Test
  void comments_and_unknown_fields_are_passed_over() throws IOException {
    assertThat(all(over(": heartbeat\n\n:\n\nfuture: x\ndata: a\n: inside\ndata: b\n\n")))
        .containsExactly(new SseFrame("before", "message", "a\nb"));
  }

  @Test
  void all_three_line_ends_are_understood_even_mixed() throws IOException {
    assertThat(all(over("data: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\ndata: e\n\r\n")))
        .extracting(SseFrame::data)
        .containsExactly("a", "b", "c", "d\ne");
  }

  @Test
  void an_event_that_ends_in_cr_is_not_held_back_for_a_possible_lf() throws IOException {
    InputStream sent = new ByteArrayInputStream("data: a\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    assertThat(new SseReader(sent, "").next()).isEqualTo(new SseFrame("", "message", "a"));
    assertThat(sent.available()).as("the last line feed is not waited for").isEqualTo(1);
  }

  @Test
  void a_byte_order_mark_is_dropped_at_the_very_start_only() throws IOException {
    assertThat(all(over("\uFEFFdata: a\n\n\uFEFFdata: b\n\n")))
        .extracting(SseFrame::data)
        .containsExactly("a");
  }

  @Test
  void what_is_half_sent_when_the_stream_is_cut_is_dropped_with_its_id() throws IOException {
    SseReader reader = over("id: 1\ndata: whole\n\nid: 2\ndata: half\n");
    assertThat(all(reader)).extracting(SseFrame::data).containsExactly("whole");
    assertThat(reader.lastEventId()).isEqualTo("1");
  }

  @Test
  void a_frame_with_only_an_id_moves_the_cursor_and_is_no_event() throws IOException {
    SseReader reader = over("id: 1\ndata: x\n\nid: 9\n\n");
    assertThat(all(reader)).hasSize(1);
    assertThat(reader.lastEventId()).isEqualTo("9");
  }

  @Test
  void an_empty_id_resets_the_cursor() throws IOException {
    SseReader reader = over("id: 7\ndata: x\n\nid\ndata: y\n\n");
    assertThat(all(reader)).extracting(SseFrame::id).containsExactly("7", "");
    assertThat(reader.lastEventId()).isEmpty();
  }

  @Test
  void an_id_stays_until_another_one_comes() throws IOException {
    assertThat(all(over("id: 7\ndata: x\n\ndata: y\n\n")))
        .extracting(SseFrame::id)
        .containsExactly("7", "7");
  }

  @Test
  void an_id_with_a_null_character_is_ignored() throws IOException {
    assertThat(all(over("id: a\0b\ndata: x\n\n")))
        .extracting(SseFrame::id)
        .containsExactly("before");
  }

  @Test
  void retry_takes_digits_only() throws IOException {
    SseReader reader = over("retry: 250\nretry: 1e3\nretry: -5\nretry:\n\n");
    assertThat(all(reader)).isEmpty();
    assertThat(reader.retry()).contains(Duration.ofMillis(250));
  }

  @Test
  void text_beyond_ascii_survives() throws IOException {
    assertThat(all(over("id: \u00e9\u2713\ndata: \uD83E\uDD8A\n\n")))
        .containsExactly(new SseFrame("\u00e9\u2713", "message", "\uD83E\uDD8A"));
  }

  @Test
  void an_endless_line_is_refused() {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }
        };
    assertThatThrownBy(() -> new SseReader(endless, "").next()).isInstanceOf(IOException.class);
  }
}
