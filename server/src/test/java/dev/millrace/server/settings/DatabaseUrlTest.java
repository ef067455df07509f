package dev.millrace.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.service.access.Secret;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NullMarked
class DatabaseUrlTest {

  @ParameterizedTest
  @CsvSource({
    "postgres://ada:pw@db/jobs,                       jdbc:postgresql://db/jobs, ada, pw",
    "postgresql://ada:pw@db:5433/jobs,                jdbc:postgresql://db:5433/jobs, ada, pw",
    "jdbc:postgresql://db/jobs?user=ada&password=pw,  jdbc:postgresql://db/jobs, ada, pw",
    "jdbc:postgresql://ada:pw@db/jobs,                jdbc:postgresql://db/jobs, ada, pw",
    "jdbc:postgresql://db/jobs,                       jdbc:postgresql://db/jobs,,",
    "postgres://ada@[::1]:5432/jobs,                  jdbc:postgresql://[::1]:5432/jobs, ada,",
    "postgres://ada:a%40b%2Fc+d@db/jobs,              jdbc:postgresql://db/jobs, ada, a@b/c+d",
    "postgres://db/jobs?user=ada&password=a+b,        jdbc:postgresql://db/jobs, ada, a+b",
    "jdbc:postgresql://db/jobs?user=ada&password=a+b, jdbc:postgresql://db/jobs, ada, a b",
    "jdbc:postgresql://db/jobs?user=ada&password=a=@, jdbc:postgresql://db/jobs, ada, a=@",
  })
  void both_spellings_become_what_the_driver_wants(
      String url, String jdbcUrl, @Nullable String user, @Nullable String password) {
    DatabaseUrl read = DatabaseUrlReader.read(url);

    assertThat(read.jdbcUrl()).isEqualTo(jdbcUrl);
    assertThat(read.user()).isEqualTo(user);
    assertThat(read.password()).isEqualTo(password == null ? null : new Secret(password));
  }

  @Test
  void several_hosts_are_kept_for_failover() {
    assertThat(
            DatabaseUrlReader.read("postgres://ada@a:1,b:2/jobs?target_session_attrs=read-write")
                .jdbcUrl())
        .isEqualTo("jdbc:postgresql://a:1,b:2/jobs?targetServerType=primary");
  }

  @Test
  void names_of_libpq_become_names_of_the_driver() {
    assertThat(
            DatabaseUrlReader.read(
                    "postgres://db/jobs?application_name=m&connect_timeout=5&sslmode=require")
                .jdbcUrl())
        .isEqualTo("jdbc:postgresql://db/jobs?ApplicationName=m&connectTimeout=5&sslmode=require");
  }

  @ParameterizedTest
  @CsvSource({
    "postgres://db",
    "postgres://db/",
    "postgres:///jobs",
    "postgres://db,/jobs",
    "postgres://db/jobs/more",
    "postgres://db/jobs?sslmode",
    "postgres://db/jobs?a=b&",
    "postgres://a%0Ab@db/jobs",
    "jdbc:postgresql:jobs",
  })
  void what_cannot_be_read_for_sure_is_refused(String url) {
    assertThatThrownBy(() -> DatabaseUrlReader.read(url)).isInstanceOf(Kind.Refused.class);
  }
}
