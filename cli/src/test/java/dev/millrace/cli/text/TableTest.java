package dev.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.text.Table.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  private static final TextStyle PLAIN = new TextStyle(false, true);
  private static final TextStyle ASCII = new TextStyle(false, false);

  @Test
  void columns_are_aligned_and_numbers_stand_right() {
    Table table = new Table(Column.id("ID"), Column.number("CREDITS"), Column.text("NOTE"));
    table.row("a", "5", "first").row("long-id", "120", "");
    assertThat(table.render(100, PLAIN))
        .containsExactly(
            "ID       CREDITS  NOTE", //
            "a              5  first",
            "long-id      120");
  }

  @Test
  void the_widest_text_shrinks_first_and_an_id_never() {
    String id = "job_0197f0c1a2b37c4d8e9fa0b1c2d3e4f5";
    Table table = new Table(Column.id("ID"), Column.text("A"), Column.text("B"));
    table.row(id, "short text", "a very long text that cannot possibly fit on the line");
    List<String> lines = table.render(70, PLAIN);
    assertThat(lines.get(1)).startsWith(id + "  short text  a very long").endsWith("\u2026");
    assertThat(lines).allSatisfy(line -> assertThat(Clip.width(line)).isLessThanOrEqualTo(70));
    assertThat(table.render(10, PLAIN).get(1)).startsWith(id);
  }

  @Test
  void a_cut_is_marked_in_ascii_where_nothing_else_can_be_shown() {
    Table table = new Table(Column.text("A")).row("abcdefghijklmnop");
    assertThat(table.render(8, ASCII).get(1)).isEqualTo("abcde...");
  }

  @Test
  void a_stored_message_cannot_steer_the_terminal() {
    Table table = new Table(Column.text("A")).row("x\u001b[2J\ny\r\u202e\u009b");
    assertThat(table.render(80, PLAIN).get(1)).isEqualTo("x [2J y");
  }

  @Test
  void wide_characters_count_for_two_columns() {
    Table table = new Table(Column.text("A"), Column.text("B")).row("\u6c34\u8f66", "x");
    table.row("abcd", "y");
    assertThat(table.render(80, PLAIN)).endsWith("\u6c34\u8f66  x", "abcd  y");
  }

  @Test
  void colours_do_not_disturb_the_alignment() {
    Table table = new Table(Column.state("STATE"), Column.text("B"));
    table.row("completed", "x").row("failed", "y");
    assertThat(table.render(80, new TextStyle(true, true)))
        .endsWith("\u001b[32mcompleted\u001b[0m  x", "\u001b[31mfailed\u001b[0m     y");
  }
}
