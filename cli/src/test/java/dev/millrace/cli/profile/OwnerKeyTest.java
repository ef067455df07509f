package dev.millrace.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.Profile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key of the person who starts a server is shown to people, and written for everybody else. */
class OwnerKeyTest {

  private static final URI SERVER = URI.create("http://127.0.0.1:8080");

  @TempDir Path folder;
  private final AtomicInteger made = new AtomicInteger();

  @SuppressWarnings("NullAway.Init")
  private Profiles profiles;

  @SuppressWarnings("NullAway.Init")
  private Path file;

  @BeforeEach
  void the_folders_of_a_newcomer() {
    profiles = new Profiles(folder.resolve("profiles"));
    file = folder.resolve("data").resolve("admin.key");
  }

  private OwnerKey.KeptKey keep(boolean onTerminal, String... accepted) throws IOException {
    return new OwnerKey(profiles, file, onTerminal)
        .keep(
            SERVER, List.of(accepted)::contains, () -> Optional.of("mr_" + made.incrementAndGet()));
  }

  @Test
  void a_new_key_is_shown_on_a_terminal_and_kept_in_the_profile() throws IOException {
    OwnerKey.KeptKey told = keep(true);
    assertThat(told.words()).startsWith("mr_1  (shown once; kept in " + profiles.folder());
    assertThat(told.profile()).isEmpty();
    assertThat(profiles.current()).contains(new Profile(SERVER, "mr_1"));
    assertThat(file).doesNotExist();
  }

  @Test
  void without_a_terminal_no_word_of_it_is_shown_and_its_file_is_for_its_owner_alone()
      throws IOException {
    OwnerKey.KeptKey told = keep(false);
    assertThat(told.key()).contains("mr_1");
    assertThat(told.words()).isEqualTo("in " + file);
    assertThat(told.words() + told.profile() + told).doesNotContain("mr_1");
    assertThat(file).hasContent("mr_1");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(profiles.current()).contains(new Profile(SERVER, "mr_1"));
  }

  @Test
  void a_container_that_lost_its_home_takes_the_key_of_its_data_instead_of_a_new_one()
      throws IOException {
    keep(false);
    profiles = new Profiles(folder.resolve("another home"));
    OwnerKey.KeptKey told = keep(false, "mr_1");
    assertThat(told.key()).contains("mr_1");
    assertThat(made).hasValue(1);
    assertThat(profiles.current()).contains(new Profile(SERVER, "mr_1"));
  }

  @Test
  void who_has_a_profile_of_another_server_is_told_how_to_go_back() throws IOException {
    Profile other = new Profile(URI.create("https://mill.example"), "mr_other");
    profiles.use(other);
    assertThat(keep(true).profile()).endsWith("kept: ./millrace profiles use before");
    assertThat(profiles.all()).containsEntry("before", other);
  }

  @Test
  void a_home_that_cannot_be_written_is_no_reason_to_lose_the_key() throws IOException {
    profiles = new Profiles(Files.writeString(folder.resolve("a file"), "").resolve("profiles"));
    OwnerKey.KeptKey told = keep(true);
    assertThat(told.words()).isEqualTo("mr_1  (shown once; kept in " + file + ")");
    assertThat(told.profile()).contains("not written", "MILLRACE_URL=" + SERVER);
    assertThat(file).hasContent("mr_1");
  }

  @Test
  void no_key_is_made_where_none_can_be_kept() throws IOException {
    Path plain = Files.writeString(folder.resolve("a file"), "");
    profiles = new Profiles(plain.resolve("profiles"));
    file = plain.resolve("admin.key");
    assertThatThrownBy(() -> keep(false)).isInstanceOf(CommandFailure.class);
    assertThat(made).hasValue(0);
  }

  @Test
  void a_database_with_keys_of_others_gives_none_away() throws IOException {
    Profile other = new Profile(URI.create("https://mill.example"), "mr_other");
    profiles.use(other);
    OwnerKey.KeptKey told =
        new OwnerKey(profiles, file, false).keep(SERVER, _ -> false, Optional::empty);
    assertThat(told.key()).isEmpty();
    assertThat(profiles.current()).contains(other);
  }
}
