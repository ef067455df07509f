package dev.millrace.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A migration leaves the version before it working; what it can't any more, a later one drops. */
class ExpandThenContractTest {

  /** The schema as it was first written; no node is older than that. */
  private static final int BASE = 12;

  private static final Pattern FILE = Pattern.compile("V(\\d+)__[a-z0-9_]+\\.sql");

  @Test
  void a_file_after_the_first_ones_breaks_no_node_of_the_version_before() throws Exception {
    List<String> broken = new ArrayList<>();
    int base = 0;
    for (Path path : files()) {
      String name = path.getFileName().toString();
      Matcher file = FILE.matcher(name);
      assertThat(file.matches()).as(name).isTrue();
      if (Integer.parseInt(file.group(1)) <= BASE) {
        base++;
      } else {
        broken.addAll(ExpandThenContract.broken(name, Files.readString(path)));
      }
    }
    assertThat(base).isEqualTo(BASE);
    assertThat(broken).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop table share",
        "DROP  TABLE\n    if exists share",
        "alter table job\n    add column note text,\n    drop column step",
        "alter table job drop step",
        "drop type job_key",
        "drop function require_rows",
        "alter table job alter column step type jsonb using step::jsonb",
        "alter table job alter step set data type jsonb",
        "alter table job alter column step set not null",
        "alter table job alter column progress drop default",
        "alter table job rename column step to stage",
        "alter table job rename to work",
        "alter index job_of_wallet rename to job_of_user",
        "alter type job_key add attribute wallet_id bigint",
        "alter type job_key drop attribute id",
        "alter table job add column note text not null",
        "alter table job add note text not null, add column other int default 0",
        "do $$ begin execute format('drop table %I', 'share'); end $$",
        "create table a (b text default ';--'); drop table share"
      })
  void a_statement_that_breaks_a_running_node_is_found(String statement) {
    assertThat(ExpandThenContract.broken("V99__x.sql", "-- About it.\n" + statement + ";\n"))
        .hasSize(1)
        .allMatch(found -> found.startsWith("V99__x.sql:2 "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create table note (id int primary key, said text not null)",
        "alter table job add column note text",
        "alter table job add column note text not null default ''",
        "alter table job add column note text default '', add constraint c check (note is not null)",
        "alter table job alter column step set default '', alter column step set not null",
        "alter table job alter column step drop not null",
        "alter table job drop constraint job_pkey",
        "drop index job_of_wallet",
        "create type job_key_and_wallet as (tenant_id int, id uuid, wallet_id bigint)",
        "alter type price_unit add value 'minute'",
        "-- To drop table share would be wrong.\nselect 1"
      })
  void a_statement_that_only_adds_is_not(String statement) {
    assertThat(ExpandThenContract.broken("V99__x.sql", statement + ";\n")).isEmpty();
  }

  @Test
  void a_statement_may_contract_if_the_line_above_it_says_why() {
    String dropped = "-- contract: nothing reads it since 1.4\ndrop table share;\n";
    assertThat(ExpandThenContract.broken("V99__x.sql", dropped)).isEmpty();
    assertThat(ExpandThenContract.broken("V99__x.sql", dropped + "drop table queue;\n"))
        .containsExactly("V99__x.sql:3 drops what is still read or written");
    assertThat(ExpandThenContract.broken("V99__x.sql", dropped.replace("\ndrop", "\n\ndrop")))
        .as("not right above it")
        .hasSize(1);
    assertThat(ExpandThenContract.broken("V99__x.sql", "-- contract:\ndrop table share;\n"))
        .as("without a reason")
        .hasSize(1);
  }

  private static List<Path> files() throws IOException, URISyntaxException {
    Path first =
        Path.of(
            Objects.requireNonNull(
                    Migrations.class.getResource(
                        "/dev/millrace/postgres/schema/V1__tables_tenants.sql"))
                .toURI());
    try (var all = Files.list(Objects.requireNonNull(first.getParent()))) {
      return all.filter(path -> path.toString().endsWith(".sql")).sorted().toList();
    }
  }
}
