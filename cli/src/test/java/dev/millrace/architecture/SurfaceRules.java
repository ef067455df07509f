package dev.millrace.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.lang.ArchRule;

/**
 * What holds for the API, the dialects and the console, which are surfaces over the use cases.
 *
 * @param root such as {@code dev.millrace}
 */
record SurfaceRules(String root) {

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
        && (owner.equals(root + ".web.http.Request") || owner.equals(root + ".web.http.RequestHead"));
  }

  private String module(String name) {
    return root + "." + name + "..";
  }
}
