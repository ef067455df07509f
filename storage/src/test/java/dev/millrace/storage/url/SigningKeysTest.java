package dev.millrace.storage.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.storage.DurableFiles;
import dev.millrace.storage.ObjectStoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SigningKeysTest {

  @TempDir Path folder;

  @Test
  void a_key_is_made_once_and_then_read() throws IOException {
    Path file = folder.resolve("new/place/signing.key");
    byte[] made = SigningKeys.loadOrCreate(file).current();
    assertThat(made).hasSize(32);
    assertThat(SigningKeys.loadOrCreate(file).current()).isEqualTo(made);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(names(DurableFiles.directoryOf(file))).containsExactly("signing.key");
  }

  @Test
  void two_files_have_two_keys() {
    assertThat(SigningKeys.loadOrCreate(folder.resolve("a")).current())
        .isNotEqualTo(SigningKeys.loadOrCreate(folder.resolve("b")).current());
  }

  @Test
  void processes_that_start_at_once_agree() throws Exception {
    int processes = 8;
    for (int round = 0; round < 20; round++) {
      Path file = folder.resolve("round-" + round + "/signing.key");
      CyclicBarrier start = new CyclicBarrier(processes);
      List<Future<String>> loaded = new ArrayList<>();
      try (ExecutorService threads = Executors.newFixedThreadPool(processes)) {
        for (int i = 0; i < processes; i++) {
          loaded.add(
              threads.submit(() -> {
                start.await();
                return HexFormat.of().formatHex(SigningKeys.loadOrCreate(file).current());
              }));
        }
      }
      Set<String> keys = new HashSet<>();
      for (Future<String> key : loaded) {
        keys.add(key.get());
      }
      assertThat(keys).hasSize(1);
      assertThat(names(DurableFiles.directoryOf(file))).containsExactly("signing.key");
    }
  }

  @Test
  void rotation_keeps_the_key_before_and_drops_the_one_before_that() throws IOException {
    Path file = folder.resolve("signing.key");
    byte[] first = SigningKeys.loadOrCreate(file).current();
    byte[] second = SigningKeys.rotate(file).current();
    assertThat(SigningKeys.loadOrCreate(file).all()).containsExactly(second, first);
    byte[] third = SigningKeys.rotate(file).current();
    assertThat(SigningKeys.loadOrCreate(file).all()).containsExactly(third, second);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(names(folder)).containsExactly("signing.key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "abcd", "not a key at all", "0x00"})
  void a_file_that_holds_no_key_is_refused_without_repeating_it(String content) throws IOException {
    Path file = Files.createTempFile(folder, "signing", ".key");
    Files.writeString(file, content);
    assertThatThrownBy(() -> SigningKeys.loadOrCreate(file))
        .isInstanceOf(ObjectStoreException.class)
        .hasMessage(
            "the signing key at " + file + " is not one or two lines of 64 hexadecimal digits");
    assertThat(file).hasContent(content);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r--r--", "rw--w----", "rw-----w-"})
  void a_key_that_others_could_read_or_change_is_refused(String permissions) throws IOException {
    Path file = folder.resolve("signing.key");
    SigningKeys.loadOrCreate(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    assertThatThrownBy(() -> SigningKeys.loadOrCreate(file))
        .isInstanceOf(ObjectStoreException.class)
        .hasMessageContaining("open to others");
  }

  @Test
  void a_short_key_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> SigningKeys.of(new byte[31]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SigningKeys.of(new byte[32], new byte[0]));
  }

  @Test
  void keys_cannot_be_changed_from_outside() {
    byte[] given = new byte[32];
    SigningKeys keys = SigningKeys.of(given);
    given[0] = 1;
    keys.all().getFirst()[1] = 1;
    assertThat(keys.current()).containsOnly(0);
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
