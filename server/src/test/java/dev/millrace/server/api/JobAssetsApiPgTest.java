package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.Database;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.reading.CatalogueFiles;
import dev.millrace.service.catalogue.reading.CatalogueRules;
import dev.millrace.service.files.JobAssets;
import dev.millrace.storage.local.LocalObjectStore;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a worker is given for a lease, fetched over HTTP from a running server. */
class JobAssetsApiPgTest {

  private static final String CATALOGUE =
      """
      workflow: portrait
      title: Portrait
      executor: worker
      properties:
        image: {type: file}
        prompt: {type: string, default: x}
        steps: {type: integer, default: 20}
      required: [image]
      template:
        "1": {class_type: LoadImage, inputs: {image: "{{image}}", mask: "{{mask}}"}}
        "9": {class_type: Save, inputs: {prefix: "of {{prompt}}", steps: "{{steps}}"}}
      output_node: "9"
      assets: {mask: mask.txt}
      effects:
        - effect: portrait/plain
          title: Plain
          credits_cost: 1
      """;

  @TempDir Path folder;

  private ServerRig rig;
  private Client client;
  private Database database;
  private JobAssets assets;
  private CatalogueFiles catalogue;

  @BeforeEach
  void start() throws IOException {
    Path files = Files.createDirectory(folder.resolve("catalogue"));
    Files.writeString(files.resolve("portrait.yaml"), CATALOGUE);
    Files.writeString(files.resolve("mask.txt"), "mask");
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0", "CATALOGUE_DIR=" + files);
    client = rig.admin();
    database =
        Database.open(
            new Database.Access(
                rig.database().jdbcUrl(), rig.database().user(), rig.database().password(), 2));
    UrlSigner signer = new UrlSigner(SigningKeys.loadOrCreate(folder.resolve("data/signing.key")));
    assets =
        new JobAssets(
            database.files(),
            new LocalObjectStore(folder.resolve("data/objects"), signer, InstantSource.system()));
    catalogue = new CatalogueFiles(new CatalogueRules(100, Set.of("worker", "sketch")), files);
    catalogue.reload();
  }

  @AfterEach
  void stop() {
    database.close();
    rig.close();
  }

  @Test
  void a_worker_gets_the_users_file_the_effects_file_and_the_filled_graph() {
    String image = brought();
    JobAssets.Leased leased = leased(image, "{{image}} \"fox\"");

    JobAssets.Work work = assets.of(leased);

    assertThat(work.outputNode()).isEqualTo("9");
    assertThat(work.assets()).extracting(JobAssets.Asset::name).containsExactly("image", "mask");
    JobAssets.Asset photo = work.assets().get(0);
    assertThat(photo.fileId()).hasToString(image);
    assertThat(photo.sha256()).isEqualTo(FileLaws.sha256(FileLaws.PHOTO));
    assertThat(photo.mediaType()).isEqualTo("image/png");
    assertThat(client.get(photo.url().toString()).expect(200).bytes()).isEqualTo(FileLaws.PHOTO);
    JobAssets.Asset mask = work.assets().get(1);
    assertThat(mask.fileId()).isNull();
    assertThat(mask.size()).isEqualTo(4);
    assertThat(client.get(mask.url().toString()).expect(200).text()).isEqualTo("mask");

    JsonNode graph = Objects.requireNonNull(work.template());
    assertThat(graph.at("/1/inputs/image").asString()).isEqualTo(photo.placeholder());
    assertThat(graph.at("/1/inputs/mask").asString()).isEqualTo(mask.placeholder());
    assertThat(graph.at("/9/inputs/prefix").asString()).isEqualTo("of {{image}} \"fox\"");
    assertThat(graph.at("/9/inputs/steps").isInt()).isTrue();
  }

  @Test
  void a_lease_that_goes_on_gets_fresh_urls_for_the_same_places() {
    JobAssets.Leased leased = leased(brought(), "x");
    List<JobAssets.Asset> first = assets.of(leased).assets();
    List<JobAssets.Asset> later = assets.assets(leased);
    assertThat(later)
        .extracting(JobAssets.Asset::placeholder)
        .isEqualTo(first.stream().map(JobAssets.Asset::placeholder).toList());
    JobAssets.Leased another =
        new JobAssets.Leased(
            leased.job(),
            UUID.randomUUID(),
            leased.workflow(),
            leased.shipped(),
            leased.input(),
            leased.ttl(),
            leased.base());
    assertThat(assets.assets(another).getFirst().placeholder())
        .isNotEqualTo(first.getFirst().placeholder());
  }

  @Test
  void a_file_of_somebody_else_is_missing_even_to_a_worker() {
    String foreign = brought();
    rig.database()
        .execute(
            """
            insert into wallet (tenant_id, user_id) values (1, 'eve');
            update file set wallet_id = (select id from wallet where user_id = 'eve')
            where id = '%s'
            """
                .formatted(foreign));
    String own = brought();
    JobAssets.Leased leased = leased(own, "x");
    leased.input().put("image", foreign);
    assertThatThrownBy(() -> assets.of(leased)).isInstanceOf(JobAssets.Missing.class);
  }

  @Test
  void a_shipped_file_that_changed_since_the_catalogue_was_read_is_not_handed_out()
      throws IOException {
    JobAssets.Leased leased = leased(brought(), "x");
    Files.writeString(folder.resolve("catalogue/mask.txt"), "else");
    assertThatThrownBy(() -> assets.of(leased))
        .isInstanceOf(JobAssets.Missing.class)
        .hasMessageContaining("mask");
    catalogue.reload();
    assertThat(assets.of(leased(brought(), "x")).assets()).hasSize(2);
  }

  @Test
  void a_retry_of_a_follow_up_gets_what_was_approved() {
    String image = brought();
    String approved = approvedOf(image);
    String first = followUp(image, approved);
    client.post("/api/jobs/" + first + "/cancel", "").expect(200);
    assertThat(client.job(first).at("/state")).isEqualTo("canceled");

    String again = client.post("/api/jobs/" + first + "/retry", "").expect(201).at("/id");

    assertThat(client.job(again).at("/retry_of")).isEqualTo(first);
    assertThat(client.job(again).at("/follows")).isEqualTo(client.job(first).at("/follows"));
    assertThat(client.job(client.job(first).at("/follows")).at("/follow_up_id"))
        .as("the newest of them")
        .isEqualTo(again);
    assertThat(assets.assets(following(again, image, approved)))
        .extracting(JobAssets.Asset::name)
        .containsExactly("image", "items.1", "mask");
  }

  @Test
  void a_follow_up_does_not_run_without_what_was_approved() {
    String image = brought();
    String approved = approvedOf(image);
    JobAssets.Leased leased = following(followUp(image, approved), image, approved);
    assertThat(assets.assets(leased)).hasSize(3);
    rig.database()
        .execute("update file set deleted_at = now() where id = '%s'".formatted(approved));
    assertThatThrownBy(() -> assets.of(leased))
        .isInstanceOf(JobAssets.Missing.class)
        .hasMessageContaining("approved item");
  }

  @Test
  void a_job_that_follows_nothing_may_call_a_property_items() {
    String image = brought();
    String plain = client.asked("portrait/plain", "\"image\":\"" + image + "\"");
    assertThat(assets.assets(following(plain, image, "three")))
        .extracting(JobAssets.Asset::name)
        .containsExactly("image", "mask");
  }

  /** A file that a job brought and a reviewer let through. */
  private String approvedOf(String image) {
    String draft = client.asked("portrait/plain", "\"image\":\"" + image + "\"");
    String file = brought();
    rig.database()
        .execute(
            "update file set kind = 'output', job_id = '%s', attempt = 1 where id = '%s'"
                .formatted(draft, file));
    return file;
  }

  private String followUp(String image, String approved) {
    String job = client.asked("portrait/plain", "\"image\":\"" + image + "\"");
    rig.database()
        .execute(
            "update job set follows = (select job_id from file where id = '%s') where id = '%s'"
                .formatted(approved, job));
    return job;
  }

  private JobAssets.Leased following(String job, String image, String item) {
    JobAssets.Leased leased = leased(image, "x");
    leased.input().withArray("items").add(item);
    return new JobAssets.Leased(
        new JobId(leased.job().tenant(), UUID.fromString(job)),
        leased.token(),
        leased.workflow(),
        leased.shipped(),
        leased.input(),
        leased.ttl(),
        leased.base());
  }

  private JobAssets.Leased leased(String image, String prompt) {
    ObjectNode input =
        JsonMapper.shared()
            .createObjectNode()
            .put("image", image)
            .put("prompt", prompt)
            .put("steps", 20);
    String job = client.asked("portrait/plain", "\"image\":\"" + image + "\"");
    Effect effect = catalogue.current().effect("portrait/plain").orElseThrow();
    int tenant = Integer.parseInt(rig.ask("select tenant_id from job limit 1"));
    return new JobAssets.Leased(
        new JobId(tenant, UUID.fromString(job)),
        UUID.randomUUID(),
        effect.workflow(),
        effect.assets(),
        input,
        Duration.ofMinutes(1),
        client.server());
  }

  private String brought() {
    JsonNode file =
        client
            .post(
                "/api/files",
                "{\"name\":\"a.png\",\"media_type\":\"image/png\",\"size\":%d}"
                    .formatted(FileLaws.PHOTO.length))
            .expect(201)
            .json();
    client
        .send(
            "PUT",
            file.at("/upload/url").asString(),
            BodyPublishers.ofByteArray(FileLaws.PHOTO),
            "Content-Type",
            "image/png")
        .expect(200);
    String id = file.path("id").asString();
    client
        .post(
            "/api/files/" + id + "/confirm",
            "{\"size\":%d,\"sha256\":\"%s\"}"
                .formatted(FileLaws.PHOTO.length, FileLaws.sha256(FileLaws.PHOTO)))
        .expect(200);
    return id;
  }
}
