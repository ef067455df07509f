package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An admin corrects wallets, once, and never below zero. */
class AdjustApiPgTest {

  private static final String ADJUST = "/api/admin/wallets/adjust";

  @TempDir static Path folder;
  private static ServerRig rig;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0");
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  private static String body(String user, long amount, String key) {
    return "{\"user\":\"%s\",\"amount\":%d,\"idempotency_key\":\"%s\",\"reason\":\"Wrong\"}"
        .formatted(user, amount, key);
  }

  @Test
  void a_wrong_payment_is_corrected_and_leaves_its_reason() {
    rig.credit("ada", 500);
    Answer after = rig.admin().post(ADJUST, body("ada", -400, "c1")).expect(200);
    assertThat(after.at("/balance")).isEqualTo("100");
    assertThat(rig.admin().get("/api/wallet/ledger?user=ada").at("/items/0/type"))
        .isEqualTo("adjustment");
    assertThat(rig.admin().get("/api/wallet/ledger?user=ada").at("/items/0/note"))
        .isEqualTo("Wrong");
    assertThat(rig.ask("select count(*) from audit where action = 'wallet.adjust'")).isEqualTo("1");
  }

  @Test
  void the_same_key_counts_once_also_as_a_header() {
    rig.credit("bob", 10);
    rig.admin().post(ADJUST, body("bob", -3, "c2")).expect(200);
    Answer again = rig.admin().post(ADJUST, body("bob", -3, "c2")).expect(200);
    assertThat(again.header("Idempotency-Replayed")).contains("true");
    rig.admin().post(ADJUST, body("bob", -4, "c2")).problem(422, "idempotency_mismatch");
    String credit = "{\"user\":\"bob\",\"amount\":5}";
    for (int i = 0; i < 2; i++) {
      rig.admin()
          .post("/api/admin/wallets/credit", credit, "Idempotency-Key", "paid-1")
          .expect(200);
    }
    assertThat(rig.boundTo("bob").balance()).isEqualTo(12);
    rig.admin().post("/api/admin/wallets/credit", credit).problem(422, "invalid_request");
  }

  @Test
  void a_wallet_never_falls_below_zero() {
    rig.credit("eve", 10);
    assertThat(rig.admin().post(ADJUST, body("eve", -11, "c3")).problem(422, "invalid_request"))
        .extracting(Answer::wrongPaths)
        .isEqualTo(List.of("/amount"));
    rig.admin().post(ADJUST, body("eve", 0, "c4")).problem(422, "invalid_request");
    rig.admin().post(ADJUST, body("eve", -10, "c3")).expect(200);
    rig.boundTo("eve").post(ADJUST, body("eve", 5, "c5")).problem(403, "forbidden");
    assertThat(rig.boundTo("eve").balance()).isZero();
  }
}
