package dev.millrace.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/**
 * What holds for the API, the dialects and the console, which are surfaces over the use cases.
 *
 * @param root such as {@code dev.millrace}
 */
record SurfaceRules(String root) {

  private static final Set<String> CHANGES =
      Set.of("createUpdate", "prepareBatch", "inTransaction", "useTransaction", "execute");

  private static final Set<String> CHANGE_BY_QUERY = Set.of("DeletedFiles");

  ArchRule other_surfaces_call_use_cases_and_no_routes_of_the_api() {
    return noClasses()
        .that()
        .resideInAnyPackage(module("web.dialect"), module("web.console"))
        .should()
        .dependOnClassesThat(
            resideInAPackage(module("web.api")).and(simpleNameEndingWith("Routes")))
        .because("a dialect and the console read and word for themselves, and call the use case");
  }

  ArchRule only_the_http_layer_makes_requests() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(module("web.http"))
        .should()
        .accessTargetWhere(describe("a request is made up", this::makesARequest))
        .because("what came over a socket is a request, and nothing else is");
  }

  private boolean makesARequest(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getFullName();
    return access.getTarget().getName().equals("<init>")
        && (owner.equals(root + ".web.http.Request")
            || owner.equals(root + ".web.http.RequestHead"));
  }

  ArchRule surfaces_write_nothing_to_the_store() {
    return noClasses()
        .that()
        .resideInAPackage(module("web"))
        .should()
        .callMethodWhere(describe("the store is written", this::writesToTheStore))
        .because("only reads go around the use cases (ADR 24)");
  }

  /**
   * Whether the method that is called changes something by itself. What only asks may answer with
   * rows that it changed, so the classes that do so are named too.
   */
  private boolean writesToTheStore(JavaMethodCall call) {
    JavaClass owner = call.getTargetOwner();
    return resideInAPackage(module("postgres")).test(owner)
        && (CHANGE_BY_QUERY.contains(owner.getSimpleName())
            || call.getTarget().resolveMember().stream()
                .flatMap(method -> method.getMethodCallsFromSelf().stream())
                .anyMatch(SurfaceRules::changesRows));
  }

  private static boolean changesRows(JavaMethodCall call) {
    return call.getTargetOwner().getFullName().startsWith("org.jdbi.v3.core.")
        && CHANGES.contains(call.getTarget().getName());
  }

  private String module(String name) {
    return root + "." + name + "..";
  }
}
