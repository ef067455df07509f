package dev.millrace.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {
  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, postgres-linux-x86_64.txz",
    "Linux, aarch64, postgres-linux-arm_64.txz",
    "Mac OS X, x86_64, postgres-darwin-x86_64.txz",
    "Mac OS X, aarch64, postgres-darwin-arm_64.txz",
  })
  void each_platform_has_the_archive_name_of_its_binaries(String os, String arch, String archive) {
    assertThat(Platform.of(os, arch).archive()).isEqualTo(archive);
  }

  @ParameterizedTest
  @CsvSource({"Linux, riscv64", "Windows 11, amd64"})
  void a_platform_without_binaries_is_told_the_way_out(String os, String arch) {
    var platform = Platform.of(os, arch);

    assertThat(new Archive(platform.archive()).exists()).isFalse();
    assertThat(platform.unsupported())
        .hasMessageContaining(platform.os())
        .hasMessageContaining("MILLRACE_DATABASE_URL");
  }
}
