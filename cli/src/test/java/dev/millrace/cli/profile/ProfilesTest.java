package dev.millrace.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.shell.Profile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever takes the place of a profile, none is ever lost. */
class ProfilesTest {

  @TempDir Path folder;

  private static Profile profile(int number) {
    return new Profile(URI.create("http://127.0.0.1:808" + number), "mr_" + number);
  }

  @Test
  void every_profile_that_was_ever_replaced_is_still_there() throws IOException {
    Profiles profiles = new Profiles(folder.resolve("new"));
    assertThat(profiles.use(profile(1))).isEmpty();
    assertThat(profiles.use(profile(1))).isEmpty();
    assertThat(profiles.use(profile(2))).contains("before");
    assertThat(profiles.use(profile(3))).contains("before-2");
    assertThat(profiles.use(profile(4))).contains("before-3");
    assertThat(profiles.all().values())
        .containsExactlyInAnyOrder(profile(1), profile(2), profile(3), profile(4));
    assertThat(profiles.current()).contains(profile(4));
  }

  @Test
  void who_goes_back_and_forth_gets_no_further_copies() throws IOException {
    Profiles profiles = new Profiles(folder);
    profiles.use(profile(1));
    profiles.use(profile(2));
    assertThat(profiles.use(profile(1))).contains("before-2");
    assertThat(profiles.use(profile(2))).contains("before");
    assertThat(profiles.use(profile(1))).contains("before-2");
    assertThat(profiles.all()).hasSize(3);
  }

  @Test
  void a_file_that_makes_no_sense_is_kept_as_it_is_and_for_its_owner_alone() throws IOException {
    Profiles profiles = new Profiles(folder);
    Path file = Files.writeString(profiles.file(Profile.DEFAULT), "# mine\nkey=mr_x\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(profiles.current()).isEmpty();
    assertThat(profiles.use(profile(1))).contains("before");
    assertThat(profiles.file("before")).hasContent("# mine\nkey=mr_x\n");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(profiles.file("before"))))
        .isEqualTo("rw-------");
  }

  @Test
  void a_person_sees_their_profiles_without_keys_and_goes_back_to_one() throws IOException {
    Profiles profiles = new Profiles(folder);
    Cli cli = new Cli(folder);
    assertThat(cli.run("profiles").err()).contains("./millrace start");
    profiles.use(profile(1));
    profiles.use(profile(2));
    Cli.Result list = cli.run("profiles");
    assertThat(list.exit()).isZero();
    assertThat(list.out())
        .contains("before", "http://127.0.0.1:8081", "default", "http://127.0.0.1:8082")
        .doesNotContain("mr_");
    Cli.Result used = cli.run("profiles", "use", "before");
    assertThat(used.exit()).isZero();
    assertThat(used.err()).contains("now ask http://127.0.0.1:8081", "kept as before-2");
    assertThat(profiles.current()).contains(profile(1));
    Cli.Result missing = cli.run("profiles", "use", "after");
    assertThat(missing.exit()).isEqualTo(7);
    assertThat(missing.err()).contains("There is no profile after.", "millrace profiles");
  }
}
