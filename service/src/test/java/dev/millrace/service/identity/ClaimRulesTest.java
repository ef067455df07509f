package dev.millrace.service.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.service.access.Role;
import dev.millrace.service.identity.ClaimRules.Reading;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimRulesTest {

  private static final RoleTable TABLE =
      RoleTable.parse("makers=user, judges=reviewer,bosses = admin, a=b=operator");

  private static ClaimRules rules(
      String rolesClaim, @Nullable String tenantClaim, @Nullable String nameClaim) {
    return new ClaimRules("acme", tenantClaim, rolesClaim, TABLE, "sub", nameClaim);
  }

  private static Reading.Person person(ClaimRules rules, Map<String, ?> claims) {
    return (Reading.Person) rules.read(claims);
  }

  private static Map<String, Object> with(Map<String, ?> claims) {
    Map<String, Object> all = new HashMap<>(claims);
    all.putIfAbsent("sub", "ada");
    return all;
  }

  @Test
  void the_highest_role_of_an_array_or_of_words_counts() {
    ClaimRules rules = rules("roles", null, null);
    assertThat(person(rules, with(Map.of("roles", List.of("makers", "bosses", "x")))).role())
        .isEqualTo(Role.ADMIN);
    assertThat(person(rules, with(Map.of("roles", " makers  judges "))).role())
        .isEqualTo(Role.REVIEWER);
    assertThat(person(rules, with(Map.of("roles", "a=b"))).role()).isEqualTo(Role.OPERATOR);
  }

  @Test
  void a_claim_is_found_by_a_path_and_by_a_name_with_dots() {
    Map<String, Object> nested = Map.of("roles", List.of("bosses"));
    assertThat(
            person(rules("realm_access.roles", null, null), with(Map.of("realm_access", nested)))
                .role())
        .isEqualTo(Role.ADMIN);
    String name = "https://example.com/roles";
    assertThat(person(rules(name, null, null), with(Map.of(name, "judges"))).role())
        .isEqualTo(Role.REVIEWER);
  }

  @Test
  void who_is_given_nothing_is_nobody() {
    ClaimRules rules = rules("roles", null, null);
    for (Object none : List.of(7, List.of(), List.of(7), "", "Makers", Map.of("makers", true))) {
      assertThat(rules.read(with(Map.of("roles", none))))
          .as(none.toString())
          .isInstanceOf(Reading.Nobody.class);
    }
    assertThat(rules.read(with(Map.of()))).isInstanceOf(Reading.Nobody.class);
    assertThat(rules.read(Map.of("roles", "bosses"))).isInstanceOf(Reading.Nobody.class);
    assertThat(rules.read(Map.of("roles", "bosses", "sub", "x".repeat(201))))
        .isInstanceOf(Reading.Nobody.class);
    assertThat(rules.read(Map.of("roles", "bosses", "sub", "a\nb")))
        .isInstanceOf(Reading.Nobody.class);
  }

  @Test
  void only_a_user_is_bound_to_a_user() {
    ClaimRules byMail = new ClaimRules("acme", null, "roles", TABLE, "email", null);
    Map<String, Object> ada = with(Map.of("roles", "makers", "email", "ada@x.org"));
    assertThat(person(byMail, ada).user()).isEqualTo("ada@x.org");
    ada.put("roles", "judges");
    assertThat(person(byMail, ada).user()).isNull();
    assertThat(byMail.read(with(Map.of("roles", "makers")))).isInstanceOf(Reading.Nobody.class);
  }

  @Test
  void the_tenant_is_fixed_or_what_a_claim_says_and_never_guessed() {
    Map<String, Object> ada = with(Map.of("roles", "makers", "org", "umbrella"));
    assertThat(person(rules("roles", null, null), ada).tenant()).isEqualTo("acme");
    assertThat(person(rules("roles", "org", null), ada).tenant()).isEqualTo("umbrella");
    ada.remove("org");
    assertThat(rules("roles", "org", null).read(ada)).isInstanceOf(Reading.Nobody.class);
  }

  @Test
  void a_name_that_people_choose_never_hides_who_it_is() {
    ClaimRules rules = rules("roles", null, "name");
    Map<String, Object> ada = with(Map.of("roles", "makers", "name", "bob\n(x)"));
    assertThat(person(rules, ada).label()).isEqualTo("bob (x) (ada)");
    ada.put("name", "x".repeat(500));
    assertThat(person(rules, ada).label()).hasSize(100 + " (ada)".length()).endsWith(" (ada)");
    ada.remove("name");
    assertThat(person(rules, ada).label()).isEqualTo("ada");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "admin", "=admin", "x=boss", "x=admin,x=user", "x=admin,", "x="})
  void a_table_with_a_mistake_is_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> RoleTable.parse(text));
  }
}
