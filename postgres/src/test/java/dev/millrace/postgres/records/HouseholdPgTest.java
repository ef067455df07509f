package dev.millrace.postgres.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.catalogue.CatalogueIds;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tenants, keys and the catalogue's ids: rows that are written one at a time. */
class HouseholdPgTest {

  private static final String HASH = "0f".repeat(32);

  private final EngineRig rig = EngineRig.open();
  private final Keys keys = rig.database().keys();

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_tenant_is_made_once() {
    int first = rig.database().tenants().ensure("new-tenant");
    assertThat(rig.database().tenants().ensure("new-tenant")).isEqualTo(first);
    assertThat(rig.database().tenants().slug(first)).isEqualTo("new-tenant");
    assertThatThrownBy(() -> rig.database().tenants().ensure("Not A Slug"))
        .hasMessageContaining("slug");
  }

  @Test
  void a_key_is_found_by_its_hash_until_it_is_revoked() {
    KeyView key = keys.add(newKey("user", "ada"));
    assertThat(key.bounds().userId()).isEqualTo("ada");
    assertThat(key.times().lastUsedAt()).isNull();
    assertThat(keys.find(HASH)).contains(key);
    assertThat(keys.find("00".repeat(32))).isEmpty();
    keys.touch(List.of(new Keys.Used(rig.acme(), key.id())));
    Instant used = keys.find(HASH).orElseThrow().times().lastUsedAt();
    assertThat(used).isNotNull();
    keys.touch(List.of(new Keys.Used(rig.acme(), key.id())));
    assertThat(keys.find(HASH).orElseThrow().times().lastUsedAt()).isEqualTo(used);

    assertThat(keys.revoke(rig.zenith(), key.id())).isFalse();
    assertThat(keys.find(HASH)).isPresent();
    assertThat(keys.revoke(rig.acme(), key.id())).isTrue();
    assertThat(keys.find(HASH)).isEmpty();
    assertThat(keys.revoke(rig.acme(), key.id())).isFalse();
    assertThat(keys.list(rig.acme()))
        .singleElement()
        .satisfies(listed -> assertThat(listed.times().revokedAt()).isNotNull());
    assertThat(keys.list(rig.zenith())).isEmpty();
  }

  @Test
  void only_a_living_operators_key_counts_as_one() {
    assertThat(keys.anyOperator()).isFalse();
    KeyView admin = keys.add(newKey("operator", null));
    assertThat(keys.anyOperator()).isTrue();
    keys.revoke(rig.acme(), admin.id());
    assertThat(keys.anyOperator()).isFalse();
  }

  @Test
  void what_is_catalogued_keeps_its_id_when_it_changes_and_when_it_goes() {
    CatalogueIds catalogued = rig.database().catalogueIds();
    int sketch = rig.workflow("sketch");
    int effect = rig.effect("sketch");
    CatalogueIds.Ids ids =
        catalogued.store(
            List.of(
                new CatalogueIds.WorkflowRow("sketch", 2, "sketch"),
                new CatalogueIds.WorkflowRow("scrape", 1, "scrape")),
            List.of(new CatalogueIds.EffectRow("sketch", "scrape", 9)));
    assertThat(ids.workflows()).containsEntry("sketch", sketch).containsKeys("video", "scrape");
    assertThat(ids.effects()).containsEntry("sketch", effect).containsKey("video");
    assertThat(rig.place().ask("select version from workflow where slug = 'sketch'"))
        .isEqualTo("2");
    assertThat(
            rig.place()
                .ask(
                    """
                    select w.slug || ' ' || e.credits_cost
                    from effect e
                    join workflow w on w.id = e.workflow_id
                    where e.slug = 'sketch'
                    """))
        .isEqualTo("scrape 9");
    assertThat(catalogued.store(List.of(), List.of())).isEqualTo(ids);
  }

  private Keys.NewKey newKey(String role, @Nullable String user) {
    return new Keys.NewKey(
        rig.acme(),
        UUID.randomUUID(),
        "a key",
        "mr_abc",
        HASH,
        role,
        new KeyView.Bounds(user, null, null, null),
        null);
  }
}
