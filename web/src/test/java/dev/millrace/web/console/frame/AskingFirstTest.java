package dev.millrace.web.console.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AskingFirstTest {

  private static final Path TEMPLATES = Path.of("../web/src/main/jte");
  private static final Pattern GRAVE =
      Pattern.compile(
          "@template\\.deed\\((?:(?!@template)[^\\n])*?label = \"(?:Adopt|Cancel|Delete|Disable|Remove|Revoke|Stop|Suspend)\\b");

  @Test
  void no_page_does_with_one_click_what_can_not_be_undone() throws IOException {
    List<String> clicks = new ArrayList<>();
    int found = 0;
    try (var files = Files.list(TEMPLATES)) {
      for (Path file : files.sorted().toList()) {
        String text = Files.readString(file);
        Matcher deed = GRAVE.matcher(text);
        while (deed.find()) {
          found++;
          String before = text.substring(0, deed.start());
          if (before.lastIndexOf("<details class=\"ask\"") <= before.lastIndexOf("</details>")) {
            clicks.add(file.getFileName() + ": " + deed.group());
          }
        }
      }
    }

    assertThat(found).isGreaterThan(6);
    assertThat(clicks).isEmpty();
  }
}
