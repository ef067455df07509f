package dev.millrace.cli.command.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class OutputTargetsTest {

  @TempDir Path folder;

  private static List<JsonNode> files(String... names) {
    return Stream.of(names)
        .map(name -> (JsonNode) ApiJson.object().put("id", "file_1").put("name", name))
        .toList();
  }

  private List<Path> plan(String output, String... names) {
    return new OutputTargets(folder.resolve(output), false).plan(files(names));
  }

  @Test
  void one_output_gets_the_name_and_several_get_numbers() {
    assertThat(plan("fox.png", "x.png")).containsExactly(folder.resolve("fox.png"));
    assertThat(plan("fox.png", "x.png", "y.png"))
        .containsExactly(folder.resolve("fox-1.png"), folder.resolve("fox-2.png"));
    assertThat(plan("fox", "x", "y"))
        .containsExactly(folder.resolve("fox-1"), folder.resolve("fox-2"));
  }

  @Test
  void a_folder_keeps_the_names_and_tells_equal_ones_apart() {
    assertThat(plan("", "a.png", "a.png", "b.png"))
        .containsExactly(
            folder.resolve("a.png"), folder.resolve("a-2.png"), folder.resolve("b.png"));
  }

  @Test
  void a_name_from_the_server_cannot_leave_the_folder() {
    assertThat(plan("", "../../etc/passwd")).containsExactly(folder.resolve("passwd"));
    assertThat(plan("", "..\\evil.exe")).containsExactly(folder.resolve("evil.exe"));
    assertThat(plan("", ".bashrc")).containsExactly(folder.resolve("bashrc"));
    assertThat(plan("", "..")).containsExactly(folder.resolve("file_1"));
    assertThat(plan("", "a\u0000b/")).containsExactly(folder.resolve("file_1"));
  }

  @Test
  void nothing_is_overwritten_unless_forced() throws IOException {
    Path fox = Files.writeString(folder.resolve("fox.png"), "precious");
    assertThatThrownBy(() -> new OutputTargets(fox, false).check())
        .isInstanceOf(CommandFailure.class);
    assertThatThrownBy(() -> plan("fox.png", "x.png")).isInstanceOf(CommandFailure.class);
    assertThatThrownBy(() -> plan("", "fox.png")).isInstanceOf(CommandFailure.class);
    assertThat(new OutputTargets(fox, true).plan(files("x.png"))).containsExactly(fox);
  }

  @Test
  void a_missing_folder_is_noticed_before_anything_is_paid() {
    OutputTargets targets = new OutputTargets(folder.resolve("none/fox.png"), false);
    assertThatThrownBy(targets::check)
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("none");
  }
}
