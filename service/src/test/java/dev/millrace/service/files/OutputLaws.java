package dev.millrace.service.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.service.files.UploadedOutputs.Claim;
import dev.millrace.service.files.UploadedOutputs.Judgement;
import dev.millrace.service.files.UploadedOutputs.Maker;
import dev.millrace.service.files.UploadedOutputs.Place;
import dev.millrace.service.files.UploadedOutputs.Placement;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.picture.PictureBudget;
import dev.millrace.storage.picture.Previews;
import dev.millrace.storage.picture.Thumbnails;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a worker brings is looked at before it is paid for, wherever it is kept. */
abstract class OutputLaws {

  private static final byte[] TEXT = "a mill".getBytes(UTF_8);
  private static final Duration WHILE = Duration.ofMinutes(1);

  private final Maker maker = new Maker("acme", new JobId(1, UUID.randomUUID()), 2);

  abstract ObjectStore store();

  private UploadedOutputs outputs() {
    return new UploadedOutputs(store(), new Previews(store(), new Thumbnails()), 1_000, 1_000);
  }

  @Test
  void what_was_brought_as_announced_is_good() throws IOException {
    Claim claim = claim("text/plain", TEXT);
    Place place = place(claim);
    assertThat(place.key()).startsWith(maker.prefix()).endsWith(".txt");
    bring(place.key(), TEXT);

    OutputFile file =
        ((Judgement.Good) outputs().judge(maker, place.key(), claim, null, pictures())).file();

    assertThat(file.key()).isEqualTo(place.key());
    assertThat(place.key()).contains(file.id().toString());
    assertThat(file.size()).isEqualTo(TEXT.length);
    assertThat(file.sha256()).isEqualTo(sha256(TEXT));
    assertThat(file.name()).isEqualTo("output.txt");
  }

  @Test
  void what_is_not_there_fails_the_attempt_and_may_be_tried_again() {
    Claim claim = claim("text/plain", TEXT);
    Judgement.Bad bad = bad(place(claim).key(), claim);
    assertThat(bad.code()).isEqualTo("output_missing");
    assertThat(bad.worthRetrying()).isTrue();
  }

  @Test
  void another_size_checksum_or_type_than_announced_is_bad() throws IOException {
    String key = place(claim("text/plain", TEXT)).key();
    bring(key, TEXT);
    assertThat(bad(key, new Claim("text/plain", 7, sha256(TEXT))).code()).isEqualTo("output_size");
    assertThat(bad(key, new Claim("text/plain", 6, sha256(new byte[6]))).code())
        .isEqualTo("output_checksum");
    assertThat(bad(key, new Claim("image/png", 6, sha256(TEXT))).code()).isEqualTo("output_type");

    byte[] fake = "no picture".getBytes(UTF_8);
    Claim claim = claim("image/png", fake);
    String picture = place(claim).key();
    bring(picture, fake);
    assertThat(bad(picture, claim).code()).isEqualTo("output_type");
  }

  @Test
  void a_key_outside_the_attempt_is_refused_though_it_is_intact() throws IOException {
    Claim claim = claim("text/plain", TEXT);
    UUID job = maker.job().uuid();
    for (Maker other :
        List.of(
            new Maker("acme", maker.job(), 1),
            new Maker("acme", maker.job(), 22),
            new Maker("other", maker.job(), 2),
            new Maker("acme", new JobId(1, UUID.randomUUID()), 2))) {
      String key = ((Placement.Open) outputs().offer(other, claim, WHILE)).place().key();
      bring(key, TEXT);
      assertThat(bad(key, claim).code()).as(key).isEqualTo("output_elsewhere");
    }
    String prefix = maker.prefix();
    for (String key :
        List.of(
            "",
            prefix,
            prefix + "output-x.txt",
            prefix + "../attempt-1/output-" + job + ".txt",
            prefix + "output-" + job + "-thumb.png",
            prefix + "output-" + job + ".txt/../x",
            "/" + prefix + "output-" + job + ".txt",
            "tenants/acme/uploads/" + job + ".txt")) {
      assertThat(bad(key, claim).code()).as(key).isEqualTo("output_elsewhere");
    }
  }

  @Test
  void there_is_no_place_for_what_would_be_refused_anyway() {
    for (Claim claim :
        List.of(
            new Claim("text/x-unknown", 1, sha256(TEXT)),
            new Claim("text/plain", 0, sha256(TEXT)),
            new Claim("text/plain", -1, sha256(TEXT)),
            new Claim("text/plain", 1_001, sha256(TEXT)),
            new Claim("text/plain", 1, sha256(TEXT).toUpperCase(Locale.ROOT)),
            new Claim("text/plain", 1, ""))) {
      assertThat(outputs().offer(maker, claim, WHILE)).isInstanceOf(Placement.Refused.class);
      assertThat(
              outputs()
                  .judge(
                      maker,
                      maker.prefix() + "output-" + UUID.randomUUID() + ".txt",
                      claim,
                      null,
                      pictures()))
          .isInstanceOf(Judgement.Bad.class);
    }
  }

  @Test
  void what_is_not_accepted_can_be_thrown_away_as_a_whole() throws IOException {
    String key = place(claim("text/plain", TEXT)).key();
    bring(key, TEXT);
    String earlier =
        ObjectKeys.attemptPrefix("acme", maker.job().uuid().toString(), 1)
            + "output-"
            + UUID.randomUUID()
            + ".txt";
    bring(earlier, TEXT);
    assertThat(outputs().discard(maker)).isEqualTo(1);
    assertThat(store().size(key)).isEmpty();
    assertThat(store().size(earlier)).isPresent();
  }

  private static PictureBudget pictures() {
    return PictureBudget.perCall("acme");
  }

  private Place place(Claim claim) {
    return ((Placement.Open) outputs().offer(maker, claim, WHILE)).place();
  }

  private Judgement.Bad bad(String key, Claim claim) {
    return (Judgement.Bad) outputs().judge(maker, key, claim, null, pictures());
  }

  private void bring(String key, byte[] bytes) throws IOException {
    store().put(key, "text/plain", new ByteArrayInputStream(bytes), bytes.length);
  }

  private static Claim claim(String type, byte[] bytes) {
    return new Claim(type, bytes.length, sha256(bytes));
  }

  private static String sha256(byte[] bytes) {
    return Sha256.hex(bytes);
  }
}
