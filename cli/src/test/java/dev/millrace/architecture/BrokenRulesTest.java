package dev.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every rule can fail: each is broken on purpose somewhere under {@code broken}. */
class BrokenRulesTest {

  private static final String ROOT = "dev.millrace.architecture.broken";
  private static final ArchitectureRules RULES = new ArchitectureRules(ROOT);
  private static final SurfaceRules SURFACES = new SurfaceRules(ROOT);

  private final JavaClasses broken = new ClassFileImporter().importPackages(ROOT + "..");

  @Test
  void an_unknown_module_is_noticed() {
    assertThat(flaws(RULES.every_class_lives_in_a_known_module()))
        .anySatisfy(flaw -> assertThat(flaw).contains("attic.Forgotten"))
        .noneSatisfy(flaw -> assertThat(flaw).contains("cli.UsesTheTestkit"));
  }

  @Test
  void a_module_that_looks_up_is_noticed() {
    assertThat(flaws(RULES.modules_use_only_the_modules_below_them()))
        .anySatisfy(flaw -> assertThat(flaw).contains("engine.LooksUp"))
        .anySatisfy(flaw -> assertThat(flaw).contains("providers.Decides"))
        .anySatisfy(flaw -> assertThat(flaw).contains("cli.UsesTheTestkit"))
        .noneSatisfy(flaw -> assertThat(flaw).contains("web.http.Routes"));
  }

  @Test
  void a_contract_that_depends_on_a_library_is_noticed() {
    assertThat(flaws(RULES.the_contract_depends_on_nothing()))
        .isNotEmpty()
        .allSatisfy(flaw -> assertThat(flaw).contains("contract.LeansOnALibrary"));
  }

  @Test
  void an_engine_that_opens_a_socket_or_knows_the_server_is_noticed() {
    assertThat(flaws(RULES.the_engine_depends_only_on_the_contract()))
        .anySatisfy(flaw -> assertThat(flaw).contains("engine.OpensASocket"))
        .anySatisfy(flaw -> assertThat(flaw).contains("engine.LooksUp"))
        .noneSatisfy(flaw -> assertThat(flaw).contains("engine.ReadsTheClock"));
  }

  @Test
  void every_wait_without_a_limit_is_noticed() {
    List<String> flaws = flaws(RULES.the_server_waits_for_nothing_without_a_limit());
    for (String way :
        List.of(
            "forAThread",
            "forAFuture",
            "forALatch",
            "forAQueue",
            "forANotice",
            "service.WaitsForEver.forAProcess")) {
      assertThat(flaws).as(way).anySatisfy(flaw -> assertThat(flaw).contains(way));
    }
    assertThat(flaws).noneSatisfy(flaw -> assertThat(flaw).contains("forAWhile"));
  }

  @Test
  void every_way_to_read_the_clock_is_noticed() {
    List<String> flaws = flaws(RULES.the_engine_reads_no_clock());
    for (String way :
        List.of(
            "byMillis",
            "byNanos",
            "byInstant",
            "byReference",
            "byLocalDate",
            "byClock",
            "byTick",
            "byDate")) {
      assertThat(flaws).as(way).anySatisfy(flaw -> assertThat(flaw).contains(way));
    }
    assertThat(flaws).allSatisfy(flaw -> assertThat(flaw).contains("engine.ReadsTheClock"));
  }

  @Test
  void sql_outside_its_home_is_noticed() {
    assertThat(flaws(RULES.only_postgres_speaks_to_the_database()))
        .isNotEmpty()
        .allSatisfy(flaw -> assertThat(flaw).contains("web.WritesSql"));
  }

  @Test
  void the_web_server_outside_the_http_layer_is_noticed() {
    assertThat(flaws(RULES.only_the_http_layer_knows_the_web_server()))
        .isNotEmpty()
        .allSatisfy(flaw -> assertThat(flaw).contains("web.KnowsTheWebServer"));
  }

  @Test
  void a_token_that_is_checked_elsewhere_is_noticed() {
    assertThat(flaws(RULES.only_one_package_checks_tokens_of_others()))
        .isNotEmpty()
        .allSatisfy(flaw -> assertThat(flaw).contains("web.ChecksATokenItself"));
  }

  @Test
  void a_picture_that_is_decoded_elsewhere_is_noticed() {
    List<String> flaws = flaws(RULES.only_storage_decodes_pictures());
    assertThat(flaws).allSatisfy(flaw -> assertThat(flaw).contains("service.DecodesAPicture"));
    for (String way : List.of("atOnce", "byAReader", "byAnIcon")) {
      assertThat(flaws).as(way).anySatisfy(flaw -> assertThat(flaw).contains(way));
    }
  }

  @Test
  void a_digest_that_is_made_elsewhere_is_noticed() {
    List<String> flaws = flaws(RULES.only_the_contract_hashes_and_compares_secrets());
    assertThat(flaws).allSatisfy(flaw -> assertThat(flaw).contains("service.HasItsOwnWays"));
    for (String way : List.of("hash", "sign", "compare")) {
      assertThat(flaws).as(way).anySatisfy(flaw -> assertThat(flaw).contains(way));
    }
  }

  @Test
  void a_second_table_of_media_types_is_noticed() {
    assertThat(flaws(RULES.one_table_knows_endings_and_media_types()))
        .singleElement()
        .asString()
        .contains("service.HasItsOwnWays.guess");
  }

  @Test
  void a_mapper_that_is_built_elsewhere_is_noticed() {
    assertThat(flaws(RULES.json_mappers_are_built_in_one_class_each()))
        .hasSize(3)
        .allSatisfy(flaw -> assertThat(flaw).contains("service.HasItsOwnWays"))
        .anySatisfy(flaw -> assertThat(flaw).contains("makeAYamlMapper"))
        .anySatisfy(flaw -> assertThat(flaw).contains("buildAMapper"))
        .anySatisfy(flaw -> assertThat(flaw).contains("makeAMapper"));
  }

  @Test
  void a_use_case_that_knows_http_is_noticed() {
    assertThat(flaws(RULES.the_use_cases_know_no_http()))
        .isNotEmpty()
        .allSatisfy(flaw -> assertThat(flaw).contains("service.KnowsHttp"));
  }

  @Test
  void a_dialect_that_calls_the_routes_of_the_api_is_noticed() {
    assertThat(flaws(SURFACES.other_surfaces_call_use_cases_and_no_routes_of_the_api()))
        .isNotEmpty()
        .allSatisfy(flaw -> assertThat(flaw).contains("web.dialect.CallsARoute"));
  }

  @Test
  void a_request_that_is_made_up_is_noticed() {
    assertThat(flaws(SURFACES.only_the_http_layer_makes_requests()))
        .singleElement()
        .asString()
        .contains("web.dialect.CallsARoute");
  }

  @Test
  void a_surface_that_writes_to_the_store_is_noticed() {
    assertThat(flaws(SURFACES.surfaces_write_nothing_to_the_store()))
        .singleElement()
        .asString()
        .contains("web.dialect.CallsARoute.rename");
  }

  @Test
  void a_server_that_names_a_provider_is_noticed() {
    assertThat(flaws(RULES.nobody_names_a_provider()))
        .isNotEmpty()
        .allSatisfy(flaw -> assertThat(flaw).contains("server.NamesAProvider"));
  }

  @Test
  void a_provider_interface_that_depends_on_a_library_is_noticed() {
    assertThat(flaws(RULES.what_others_implement_depends_on_nothing()))
        .isNotEmpty()
        .allSatisfy(flaw -> assertThat(flaw).contains("spi.TakesJson"));
  }

  @Test
  void a_package_that_says_nothing_about_null_is_noticed() {
    assertThat(flaws(RULES.every_package_is_null_marked()))
        .isNotEmpty()
        .allSatisfy(flaw -> assertThat(flaw).contains(".attic."));
  }

  @Test
  void a_constructor_with_too_many_parameters_is_noticed() {
    assertThat(flaws(RULES.constructors_take_few_parameters()))
        .singleElement()
        .asString()
        .contains("engine.TakesTooMuch")
        .contains("takes 9 parameters");
  }

  @Test
  void a_cycle_between_a_package_and_its_child_is_noticed() {
    assertThat(flaws(RULES.packages_have_no_cycles()))
        .anySatisfy(flaw -> assertThat(flaw).contains(ROOT + ".web.http").contains("WritesSql"));
  }

  private List<String> flaws(ArchRule rule) {
    return rule.evaluate(broken).getFailureReport().getDetails();
  }
}
