package dev.millrace.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileTest {

  private static final Profile PROFILE =
      new Profile(URI.create("http://127.0.0.1:8080"), "mr_secret=with:odd#chars\u00e9");

  @TempDir Path folder;

  @Test
  void what_was_saved_is_loaded() throws IOException {
    Path file = folder.resolve("new/profile.properties");
    PROFILE.save(file);
    assertThat(Profile.load(file)).contains(PROFILE);
  }

  @Test
  void only_the_owner_may_read_it_even_if_an_older_file_was_open_to_all() throws IOException {
    Path file = folder.resolve("new/profile.properties");
    PROFILE.save(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    PROFILE.save(file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void saving_leaves_nothing_else_behind() throws IOException {
    PROFILE.save(folder.resolve("profile.properties"));
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(folder.resolve("profile.properties"));
    }
  }

  @Test
  void no_file_is_no_profile_and_a_file_without_url_is_a_mistake() throws IOException {
    assertThat(Profile.load(folder.resolve("none"))).isEmpty();
    Path file = Files.writeString(folder.resolve("bad"), "key=mr_x\n");
    assertThatThrownBy(() -> Profile.load(file)).isInstanceOf(CommandFailure.class);
  }

  @Test
  void the_key_is_not_in_its_text() {
    assertThat(PROFILE.toString()).doesNotContain("mr_secret");
  }

  @Test
  void the_folder_is_found_in_the_usual_order() {
    Path own = Path.of("/own/profile.properties");
    Map<String, String> both = Map.of("MILLRACE_PROFILE_DIR", "/own", "XDG_CONFIG_HOME", "/xdg");
    assertThat(Profile.file(both, Profile.DEFAULT)).isEqualTo(own);
    assertThat(Profile.file(Map.of("XDG_CONFIG_HOME", "/xdg"), "staging"))
        .isEqualTo(Path.of("/xdg/millrace/profile-staging.properties"));
    // Where the server writes it: a home that was set counts, and a relative folder doesn't.
    assertThat(Profile.file(Map.of("XDG_CONFIG_HOME", "xdg", "HOME", "/else"), Profile.DEFAULT))
        .isEqualTo(Path.of("/else/.config/millrace/profile.properties"));
    assertThat(Profile.file(Map.of(), Profile.DEFAULT).toString())
        .endsWith("/.config/millrace/profile.properties");
  }

  @Test
  void a_profile_name_cannot_lead_out_of_the_folder() {
    assertThatThrownBy(() -> Profile.file(Map.of(), "../../etc/passwd"))
        .isInstanceOf(CommandFailure.class);
  }
}
