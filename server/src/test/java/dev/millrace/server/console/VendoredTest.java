package dev.millrace.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Files that others wrote are the ones that we looked at. */
public class VendoredTest {

  @Test
  void the_files_of_others_are_unchanged_and_have_their_licence_beside_them() throws Exception {
    for (String folder : List.of("/dev/millrace/web/console/frame/assets/vendor/", "vendor/")) {
      List<String> lines =
          new String(read(folder + "vendored.txt"), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> line.contains(".js "))
              .toList();
      assertThat(lines).isNotEmpty();
      for (String line : lines) {
        String name = line.split("\\s+", -1)[0];
        String digest =
            HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(read(folder + name)));
        assertThat(line).as(name).endsWith(digest);
      }
    }
    assertThat(read("/dev/millrace/web/console/frame/assets/vendor/htmx-LICENSE.txt")).isNotEmpty();
    assertThat(read("vendor/axe-LICENSE.txt")).isNotEmpty();
  }

  static byte[] read(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(VendoredTest.class.getResourceAsStream(name))) {
      return in.readAllBytes();
    }
  }
}
