package dev.millrace.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ObjectKeysTest {

  private static final UUID ID = UUID.fromString("0195a0a0-0000-7000-8000-000000000001");

  @Test
  void keys_read_as_the_design_says() {
    String output = ObjectKeys.output("acme", "j1", 2, ID, MediaType.JPEG);
    assertThat(output).isEqualTo("tenants/acme/jobs/j1/attempt-2/output-" + ID + ".jpg");
    assertThat(ObjectKeys.thumbnail(output, MediaType.PNG))
        .isEqualTo("tenants/acme/jobs/j1/attempt-2/output-" + ID + "-thumb.png");
    assertThat(ObjectKeys.upload("acme", ID, MediaType.WAV))
        .isEqualTo("tenants/acme/uploads/" + ID + ".wav");
  }

  @ParameterizedTest
  @EnumSource
  void every_stored_type_makes_a_valid_key(MediaType type) {
    String longest = "a".repeat(64);
    assertThat(ObjectKeys.isKey(ObjectKeys.output(longest, longest, Integer.MAX_VALUE, ID, type)))
        .isTrue();
    assertThat(ObjectKeys.isKey(ObjectKeys.upload(longest, ID, type))).isTrue();
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.storage.Hostile#keys")
  void a_hostile_key_is_none(String key) {
    assertThat(ObjectKeys.isKey(Hostile.GOOD)).isTrue();
    assertThat(ObjectKeys.isKey(key)).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> ObjectKeys.requirePrefix(key));
  }

  @Test
  void what_a_tenant_has_lies_under_one_prefix_that_is_no_key() {
    String prefix = ObjectKeys.tenantPrefix("acme");
    assertThat(ObjectKeys.requirePrefix(prefix)).isEqualTo("tenants/acme/");
    assertThat(ObjectKeys.isKey(prefix)).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> ObjectKeys.requirePrefix("tenants/acme"));
  }

  @Test
  void ids_that_could_lead_elsewhere_make_no_key() {
    for (String id : List.of("", "..", "a/b", "a\\b", "%2e", "a b", "a.b", "\0", "a".repeat(65))) {
      assertThatIllegalArgumentException().isThrownBy(() -> ObjectKeys.jobPrefix(id, "j1"));
      assertThatIllegalArgumentException().isThrownBy(() -> ObjectKeys.jobPrefix("acme", id));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ObjectKeys.upload(id, ID, MediaType.PNG));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> ObjectKeys.attemptPrefix("a", "j", 0));
  }

  @Test
  void a_thumbnail_has_no_thumbnail() {
    String thumbnail = ObjectKeys.thumbnail(Hostile.GOOD, MediaType.PNG);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ObjectKeys.thumbnail(thumbnail, MediaType.PNG));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ObjectKeys.thumbnail(Hostile.GOOD, MediaType.HTML));
  }
}
