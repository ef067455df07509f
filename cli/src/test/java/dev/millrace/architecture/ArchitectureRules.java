package dev.millrace.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What every class of Millrace keeps to, for the packages under one root.
 *
 * @param root such as {@code dev.millrace}; the modules are the packages directly below it
 */
record ArchitectureRules(String root) {

  /** Which other modules each module may use. What isn't listed here may not exist. */
  private static final Map<String, Set<String>> MODULES =
      Map.ofEntries(
          Map.entry("contract", Set.of()),
          Map.entry("spi", Set.of()),
          Map.entry("engine", Set.of("contract")),
          Map.entry("testkit", Set.of("contract", "spi", "engine")),
          Map.entry("postgres", Set.of("contract", "engine")),
          Map.entry("storage", Set.of("contract", "spi")),
          Map.entry("providers", Set.of("contract", "spi")),
          Map.entry("sketch", Set.of("spi")),
          Map.entry("worker", Set.of("contract", "spi")),
          Map.entry(
              "service", Set.of("contract", "spi", "engine", "postgres", "storage", "providers")),
          Map.entry(
              "web",
              Set.of("contract", "spi", "engine", "postgres", "storage", "providers", "service")),
          Map.entry(
              "server",
              Set.of(
                  "contract",
                  "spi",
                  "engine",
                  "postgres",
                  "storage",
                  "providers",
                  "service",
                  "web")),
          Map.entry(
              "cli",
              Set.of(
                  "contract",
                  "spi",
                  "engine",
                  "postgres",
                  "storage",
                  "service",
                  "web",
                  "server",
                  "worker")),
          Map.entry(
              "bench",
              Set.of(
                  "contract",
                  "spi",
                  "engine",
                  "postgres",
                  "storage",
                  "service",
                  "web",
                  "server",
                  "worker")),
          Map.entry("mutants", Set.of("postgres", "testkit")));

  private static final Map<String, Set<String>> UNBOUNDED =
      Map.ofEntries(
          Map.entry("java.lang.Thread", Set.of("join")),
          Map.entry("java.lang.Process", Set.of("waitFor")),
          Map.entry("java.util.concurrent.CompletableFuture", Set.of("get", "join")),
          Map.entry("java.util.concurrent.Future", Set.of("get")),
          Map.entry("java.util.concurrent.CyclicBarrier", Set.of("await")),
          Map.entry("java.util.concurrent.CompletionService", Set.of("take")),
          Map.entry("java.util.concurrent.Semaphore", Set.of("acquire")),
          Map.entry("java.lang.Object", Set.of("wait")),
          Map.entry("java.util.concurrent.CountDownLatch", Set.of("await")),
          Map.entry("java.util.concurrent.ExecutorService", Set.of("close")),
          Map.entry("java.util.concurrent.BlockingQueue", Set.of("take")));

  private static final Map<String, Set<String>> CLOCKS =
      Map.of(
          "java.lang.System", Set.of("currentTimeMillis", "nanoTime"),
          "java.time.Clock", Set.of("system", "systemUTC", "systemDefaultZone"),
          "java.util.Date", Set.of("<init>"),
          "java.util.GregorianCalendar", Set.of("<init>"),
          "java.util.Calendar", Set.of("getInstance"));

  private static final Map<String, Set<String>> DIGESTS =
      Map.of(
          "java.security.MessageDigest", Set.of("getInstance", "isEqual"),
          "javax.crypto.Mac", Set.of("getInstance"));

  private static final Map<String, Set<String>> TYPE_TABLES =
      Map.of(
          "java.nio.file.Files", Set.of("probeContentType"),
          "java.net.URLConnection",
              Set.of("guessContentTypeFromName", "guessContentTypeFromStream", "getFileNameMap"));

  private static final Map<String, Set<String>> MAPPERS =
      Map.of(
          "tools.jackson.databind.json.JsonMapper", Set.of("builder", "<init>"),
          "tools.jackson.databind.ObjectMapper", Set.of("<init>"),
          "tools.jackson.dataformat.yaml.YAMLMapper", Set.of("builder", "<init>"));

  /** Where the mappers are that aren't the usual one; a module that shares none has its own. */
  private static final List<String> MAPPER_HOMES =
      List.of(
          "providers.wire.WireJson",
          "providers.http.DescriptionReader",
          "service.json.JsonMappers",
          "web.http.JsonBytes",
          "bench.report.JsonReport");

  ArchRule every_class_lives_in_a_known_module() {
    return classes()
        .that()
        .resideInAPackage(root + "..")
        .should()
        .resideInAnyPackage(MODULES.keySet().stream().map(this::module).toArray(String[]::new))
        .because("a new module says in ArchitectureRules whom it may use");
  }

  ArchRule modules_use_only_the_modules_below_them() {
    List<ArchRule> rules = new ArrayList<>();
    MODULES.forEach((name, others) -> {
      List<String> allowed = new ArrayList<>(List.of(module(name)));
      others.forEach(other -> allowed.add(module(other)));
      DescribedPredicate<JavaClass> ours = resideInAPackage(root + "..");
      DescribedPredicate<JavaClass> below = resideInAnyPackage(allowed.toArray(String[]::new));
      rules.add(
          noClasses()
              .that()
              .resideInAPackage(module(name))
              .should()
              .dependOnClassesThat(ours.and(DescribedPredicate.not(below)))
              .because("the way down is contract, engine, postgres, service, web, server, cli")
              .allowEmptyShould(true));
    });
    return CompositeArchRule.of(rules);
  }

  ArchRule the_contract_depends_on_nothing() {
    return classes()
        .that()
        .resideInAPackage(module("contract"))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(module("contract"), "java..", "javax.crypto..", "org.jspecify..")
        .because("a provider or a foreign program takes the contract alone");
  }

  ArchRule the_engine_depends_only_on_the_contract() {
    return classes()
        .that()
        .resideInAPackage(module("engine"))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(module("engine"), module("contract"), "java..", "org.jspecify..")
                .and(
                    DescribedPredicate.not(
                        resideInAnyPackage("java.sql..", "java.net..", "java.nio.channels.."))))
        .because("decisions know no database, no network and no data format");
  }

  ArchRule the_engine_reads_no_clock() {
    return noClasses()
        .that()
        .resideInAPackage(module("engine"))
        .should()
        .accessTargetWhere(describe("a clock is read", ArchitectureRules::readsAClock))
        .because("the database's clock decides, and a test must be able to turn it");
  }

  ArchRule the_server_waits_for_nothing_without_a_limit() {
    return noClasses()
        .that()
        .resideInAnyPackage(
            module("engine"),
            module("postgres"),
            module("storage"),
            module("providers"),
            module("service"),
            module("web"),
            module("server"))
        .should()
        .callMethodWhere(describe("a wait has no limit", ArchitectureRules::waitsForEver))
        .because("a database that is dead or frozen must not keep a server from ending");
  }

  private static boolean waitsForEver(JavaMethodCall call) {
    return call.getTarget().getRawParameterTypes().isEmpty()
        && UNBOUNDED.entrySet().stream()
            .anyMatch(waits ->
                waits.getValue().contains(call.getTarget().getName())
                    && isA(call.getTargetOwner(), waits.getKey()));
  }

  /** The JDK's own classes are not imported, so the JDK is asked what they are. */
  private static boolean isA(JavaClass owner, String type) {
    String name = owner.getFullName();
    if (!name.startsWith("java.")) {
      return name.equals(type);
    }
    try {
      return Class.forName(type).isAssignableFrom(Class.forName(name));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  ArchRule only_postgres_speaks_to_the_database() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(
            module("postgres"), module("testkit"), module("bench"), module("mutants"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.sql..",
            "javax.sql..",
            "org.postgresql..",
            "org.jdbi..",
            "com.zaxxer.hikari..",
            "org.flywaydb..")
        .because("SQL has one home");
  }

  ArchRule only_the_http_layer_knows_the_web_server() {
    return onlyIn("web.http", "io.helidon..", "another web server must change one package");
  }

  ArchRule only_one_package_checks_tokens_of_others() {
    return onlyIn("service.identity", "com.nimbusds..", "whom we believe is decided in one place");
  }

  private ArchRule onlyIn(String home, String library, String because) {
    var others = noClasses().that().resideOutsideOfPackage(module(home)).should();
    return others.dependOnClassesThat().resideInAPackage(library).because(because);
  }

  ArchRule only_storage_decodes_pictures() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(module("storage.picture"))
        .should()
        .accessTargetWhere(describe("a picture is read", ArchitectureRules::readsAPicture))
        .because("strangers' pictures are decoded where size, time and turns are bounded");
  }

  /** {@code ImageIO.read}, all that hands out or is an {@code ImageReader}, and what uses one. */
  private static boolean readsAPicture(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getFullName();
    String name = access.getTarget().getName();
    return owner.equals("javax.imageio.ImageReader")
        || owner.equals("javax.swing.ImageIcon")
        || owner.startsWith("net.coobird.thumbnailator.")
        || (owner.equals("java.awt.Toolkit") && name.endsWith("Image"))
        || (owner.equals("javax.imageio.ImageIO")
            && (name.equals("read") || name.startsWith("getImageReader")));
  }

  ArchRule only_the_contract_hashes_and_compares_secrets() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(module("contract.digest"), module("testkit"))
        .should()
        .accessTargetWhere(describe("a digest is made", access -> isOf(access, DIGESTS)))
        .because("Sha256, HmacSha256 and ConstantTime are there; a double may sign by itself");
  }

  ArchRule one_table_knows_endings_and_media_types() {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .should()
        .accessTargetWhere(describe("a type is guessed", access -> isOf(access, TYPE_TABLES)))
        .because("the machine's tables differ; spi.MediaTypes is the same everywhere");
  }

  ArchRule json_mappers_are_built_in_one_class_each() {
    String[] homes =
        MAPPER_HOMES.stream()
            .map(name -> (root + "." + name).replace(".", "\\.") + "(\\$.*)?")
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideOutsideOfPackage(module("testkit"))
        .and(
            DescribedPredicate.not(
                DescribedPredicate.or(
                    Arrays.stream(homes).map(HasName.Predicates::nameMatching).toList())))
        .should()
        .accessTargetWhere(describe("a mapper is built", access -> isOf(access, MAPPERS)))
        .because(
            "JsonMapper.shared() and YAMLMapper.shared() are the usual ones, and what differs has one home");
  }

  private static boolean isOf(JavaAccess<?> access, Map<String, Set<String>> targets) {
    return targets
        .getOrDefault(access.getTargetOwner().getFullName(), Set.of())
        .contains(access.getTarget().getName());
  }

  ArchRule the_use_cases_know_no_http() {
    return noClasses()
        .that()
        .resideInAnyPackage(module("service"), module("storage"), module("postgres"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(module("web"), module("server"), "io.helidon..", "gg.jte..")
        .because("a use case is called by the API, the console and every dialect alike");
  }

  ArchRule nobody_names_a_provider() {
    return noClasses()
        .that()
        .resideInAnyPackage(
            module("service"), module("web"), module("server"), module("cli"), module("bench"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            module("sketch"),
            module("providers.fal"),
            module("providers.http"),
            module("providers.openai"),
            module("providers.replicate"),
            module("providers.scrape"))
        .because("a provider is found by its factory, and nothing changes for the next one");
  }

  ArchRule what_others_implement_depends_on_nothing() {
    return classes()
        .that()
        .resideInAPackage(module("spi"))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(module("spi"), "java..", "org.jspecify..")
        .because("a provider's jar is compiled against it alone");
  }

  ArchRule every_package_is_null_marked() {
    return classes()
        .that()
        .resideInAPackage(root + "..")
        .should(new LiveInANullMarkedPackage())
        .because("NullAway looks only where @NullMarked invites it");
  }

  ArchRule constructors_take_few_parameters() {
    return classes()
        .that()
        .resideInAPackage(root + "..")
        .should(new TakeFewParameters(root))
        .because("parts that belong together have a name of their own");
  }

  ArchRule packages_have_no_cycles() {
    return slices()
        .assignedFrom(new OnePackageEach(root))
        .namingSlices("$1")
        .should()
        .beFreeOfCycles()
        .because("a package that can't be read alone isn't one");
  }

  private String module(String name) {
    return root + "." + name + "..";
  }

  /** Calls and method references alike: {@code Instant.now()} and {@code Instant::now}. */
  private static boolean readsAClock(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getFullName();
    String name = access.getTarget().getName();
    return CLOCKS.getOrDefault(owner, Set.of()).contains(name)
        || (owner.startsWith("java.time.") && name.equals("now"))
        || (owner.equals("java.time.Clock") && name.startsWith("tick"));
  }
}
