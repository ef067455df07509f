package dev.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Millrace's own classes keep the rules. */
class ArchitectureTest {

  private static final ArchitectureRules RULES = new ArchitectureRules("dev.millrace");
  private static final SurfaceRules SURFACES = new SurfaceRules("dev.millrace");

  @SuppressWarnings("NullAway.Init")
  private static JavaClasses millrace;

  @BeforeAll
  static void import_the_main_classes_of_every_module() {
    millrace =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.millrace");
  }

  @Test
  void every_module_is_on_the_class_path_of_this_test() {
    for (String module :
        new String[] {
          "contract",
          "spi",
          "engine",
          "postgres",
          "storage",
          "providers",
          "sketch",
          "worker",
          "service",
          "web",
          "server",
          "cli",
          "bench",
          "mutants"
        }) {
      assertThat(millrace.containPackage("dev.millrace." + module)).as(module).isTrue();
    }
  }

  @Test
  void every_class_lives_in_a_known_module() {
    RULES.every_class_lives_in_a_known_module().check(millrace);
  }

  @Test
  void modules_use_only_the_modules_below_them() {
    RULES.modules_use_only_the_modules_below_them().check(millrace);
  }

  @Test
  void the_contract_depends_on_nothing() {
    RULES.the_contract_depends_on_nothing().check(millrace);
  }

  @Test
  void the_engine_depends_only_on_the_contract() {
    RULES.the_engine_depends_only_on_the_contract().check(millrace);
  }

  @Test
  void the_engine_reads_no_clock() {
    RULES.the_engine_reads_no_clock().check(millrace);
  }

  @Test
  void only_one_package_checks_tokens_of_others() {
    RULES.only_one_package_checks_tokens_of_others().check(millrace);
  }

  @Test
  void only_storage_decodes_pictures() {
    RULES.only_storage_decodes_pictures().check(millrace);
  }

  @Test
  void the_server_waits_for_nothing_without_a_limit() {
    RULES.the_server_waits_for_nothing_without_a_limit().check(millrace);
  }

  @Test
  void only_postgres_speaks_to_the_database() {
    RULES.only_postgres_speaks_to_the_database().check(millrace);
  }

  @Test
  void only_the_http_layer_knows_the_web_server() {
    RULES.only_the_http_layer_knows_the_web_server().check(millrace);
  }

  @Test
  void only_the_contract_hashes_and_compares_secrets() {
    RULES.only_the_contract_hashes_and_compares_secrets().check(millrace);
  }

  @Test
  void one_table_knows_endings_and_media_types() {
    RULES.one_table_knows_endings_and_media_types().check(millrace);
  }

  @Test
  void json_mappers_are_built_in_one_class_each() {
    RULES.json_mappers_are_built_in_one_class_each().check(millrace);
  }

  @Test
  void the_use_cases_know_no_http() {
    RULES.the_use_cases_know_no_http().check(millrace);
  }

  @Test
  void other_surfaces_call_use_cases_and_no_routes_of_the_api() {
    SURFACES.other_surfaces_call_use_cases_and_no_routes_of_the_api().check(millrace);
  }

  @Test
  void only_the_http_layer_makes_requests() {
    SURFACES.only_the_http_layer_makes_requests().check(millrace);
  }

  @Test
  void surfaces_write_nothing_to_the_store() {
    SURFACES.surfaces_write_nothing_to_the_store().check(millrace);
  }

  @Test
  void nobody_names_a_provider() {
    RULES.nobody_names_a_provider().check(millrace);
  }

  @Test
  void what_others_implement_depends_on_nothing() {
    RULES.what_others_implement_depends_on_nothing().check(millrace);
  }

  @Test
  void every_package_is_null_marked() {
    RULES.every_package_is_null_marked().check(millrace);
  }

  @Test
  void constructors_take_few_parameters() {
    RULES.constructors_take_few_parameters().check(millrace);
  }

  @Test
  void packages_have_no_cycles() {
    RULES.packages_have_no_cycles().check(millrace);
  }
}
