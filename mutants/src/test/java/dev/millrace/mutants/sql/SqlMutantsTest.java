package dev.millrace.mutants.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A statement goes in, its mutants come out. */
class SqlMutantsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          condition dropped | select 1 from t where a = ? | select 1 from t where (a = ? or true)
          condition dropped | delete from t where t.a is null | delete from t where (t.a is null or true)
          condition dropped | select 1 from t having count(*) > 1 | select 1 from t having (count(*) > 1 or true)
          condition dropped | select 1 from t join s on s.a = t.a | select 1 from t join s on (s.a = t.a or true)
          condition dropped | select case when a then 1 end from t | select case when (a or true) then 1 end from t
          condition dropped | select count(*) filter (where a) from t | select count(*) filter (where (a or true)) from t
          condition dropped | select where a between ? and ? | select where (a between ? and ? or true)
          condition dropped | select where (a, b) = (1, 2) | select where ((a, b) = (1, 2) or true)
          condition dropped | select where 'x and y' = a | select where ('x and y' = a or true)
          condition dropped | select where case when true then a end | select where (case when true then a end or true)
          bound moved | select a < ? | select a <= ?
          bound moved | select a.b >= clock() and true | select a.b > clock() and true
          lock dropped | select 1 from t for update | select 1 from t
          lock dropped | select 1 from t for no key update of t | select 1 from t
          skip locked dropped | select 1 from t for update skip locked | select 1 from t for update
          order turned | select 1 from t order by a | select 1 from t order by a desc
          order turned | select 1 from t order by a desc limit 1 | select 1 from t order by a asc limit 1
          order turned | select 1 order by a desc nulls last | select 1 order by a asc nulls last
          limit dropped | select 1 from t limit 5 | select 1 from t
          limit dropped | select 1 limit ? | select 1 limit case when true then null else (?)::bigint end
          distinct dropped | select distinct a from t | select  a from t
          distinct dropped | select distinct on (a, b) a, b from t | select  a, b from t
          left join made inner | select 1 from t left join s on true | select 1 from t  join s on true
          clock replaced | select clock_timestamp() | select transaction_timestamp()
          coalesce dropped | select coalesce(a, 0) from t | select (a) from t
          coalesce dropped | select coalesce(a, ?) from t | select case when true then a else coalesce(?) end from t
          greatest or least dropped | select least(a + 1, b) from t | select (a + 1) from t
          assignment dropped | update t set a = 1 | update t set a = t.a
          assignment dropped | update t x set a = ? + 1 | update t x set a = case when true then x.a else ? + 1 end
          on conflict dropped | insert into t values (1) on conflict do nothing | insert into t values (1)
          """)
  void a_statement_with_one_place_has_one_mutant(String mistake, String sql, String mutated) {
    assertThat(mutants(mistake, sql)).extracting(String::strip).containsExactly(mutated);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          condition dropped | select a is distinct from b
          condition dropped | select case a when 1 then 2 end from t
          condition dropped | select 1 from t join s on true
          condition dropped | insert into t values (1) on conflict (a) do nothing
          condition dropped | select distinct on (a) b from t
          bound moved | select make_interval(secs => 1) -> 'x' ->> 'y'
          bound moved | select '<' <> "<"
          lock dropped | select substring(a for 3) from t
          order turned | select 'order by a'
          distinct dropped | select a is not distinct from b
          left join made inner | select left(a, 1) from t
          coalesce dropped | select 1 -- coalesce(a, b)
          assignment dropped | set local a = 1
          on conflict dropped | insert into t values (1) on conflict (a) do update set b = ?
          """)
  void what_only_looks_like_a_place_is_none(String mistake, String sql) {
    assertThat(mutants(mistake, sql)).isEmpty();
  }

  @Test
  void each_of_several_conditions_is_dropped_alone() {
    assertThat(mutants("condition dropped", "select where a and (b or c and d) and not e"))
        .containsExactly(
            "select where (a or true) and (b or c and d) and not e",
            "select where a and ((b or c and d) or true) and not e",
            "select where a and ((b and false) or c and d) and not e",
            "select where a and (b or (c and d and false)) and not e",
            "select where a and (b or (c or true) and d) and not e",
            "select where a and (b or c and (d or true)) and not e",
            "select where a and (b or c and d) and (not e or true)");
  }

  @Test
  void conditions_of_inner_queries_are_dropped_too() {
    assertThat(mutants("condition dropped", "select where exists (select from t where a and b)"))
        .containsExactly(
            "select where (exists (select from t where a and b) or true)",
            "select where exists (select from t where (a or true) and b)",
            "select where exists (select from t where a and (b or true))");
  }

  @Test
  void a_clause_ends_where_the_next_begins() {
    String sql = "select a from t where a group by a order by b, c desc limit 1 for update";
    assertThat(mutants("condition dropped", sql))
        .containsExactly(sql.replace("where a", "where (a or true)"));
    assertThat(mutants("order turned", sql))
        .containsExactly(sql.replace("by b", "by b desc"), sql.replace("c desc", "c asc"));
    assertThat(mutants("limit dropped", sql)).containsExactly(sql.replace("limit 1", ""));
  }

  @Test
  void each_query_of_a_union_gives_nothing_once() {
    assertThat(
            mutants(
                "part of union dropped",
                "with c as (select 1 union all select ? order by 1) select a from c union select b"))
        .containsExactly(
            "with c as (select * from (select 1) dropped where false union all select ? order by 1)"
                + " select a from c union select b",
            "with c as (select 1 union all select * from (select ?) dropped where false order by 1)"
                + " select a from c union select b",
            "with c as (select 1 union all select ? order by 1)"
                + " select * from (select a from c) dropped where false union select b",
            "with c as (select 1 union all select ? order by 1)"
                + " select a from c union select * from (select b) dropped where false");
  }

  @Test
  void an_assignment_keeps_the_old_value_of_the_row_that_is_updated() {
    assertThat(
            mutants(
                "assignment dropped",
                "insert into t (a) values (1) on conflict (a) do update set b = excluded.b, c = 2"))
        .containsExactly(
            "insert into t (a) values (1) on conflict (a) do update set b = t.b, c = 2",
            "insert into t (a) values (1) on conflict (a) do update set b = excluded.b, c = t.c");
  }

  @Test
  void a_mutant_has_as_many_parameters_as_its_original() {
    String sql =
        "update t x set a = coalesce(b, ?), c = ? from s where s.a < ? and (s.b = ? or s.c)"
            + " returning (select d from u where d > ? order by d limit ?)";
    assertThat(SqlMutants.of(sql))
        .hasSizeGreaterThan(8)
        .allSatisfy(
            mutant -> assertThat(mutant.sql().chars().filter(c -> c == '?').count()).isEqualTo(6));
  }

  @Test
  void mutants_of_a_kind_in_like_places_are_told_apart() {
    List<SqlMutant> mutants =
        SqlMutants.of("select where a = 1 and exists (select where a = 1) and b\n  = 2").stream()
            .filter(mutant -> !mutant.place().startsWith("exists"))
            .toList();
    assertThat(mutants).extracting(SqlMutant::place).containsExactly("a = 1", "b = 2", "a = 1 #2");
  }

  @Test
  void what_is_no_sql_is_refused() {
    assertThatThrownBy(() -> SqlMutants.of("select 'open")).hasMessageContaining("no token at 7");
  }

  private static List<String> mutants(String mistake, String sql) {
    return SqlMutants.of(sql).stream()
        .filter(mutant -> mutant.mistake().equals(mistake))
        .map(SqlMutant::sql)
        .toList();
  }
}
