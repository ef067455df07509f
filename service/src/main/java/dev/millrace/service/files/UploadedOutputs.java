package dev.millrace.service.files;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.contract.digest.Sha256;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.PartPlan;
import dev.millrace.storage.PartUrls;
import dev.millrace.storage.PartedUploads;
import dev.millrace.storage.SignedUrl;
import dev.millrace.storage.output.DownloadNames;
import dev.millrace.storage.output.Magic;
import dev.millrace.storage.picture.PictureBudget;
import dev.millrace.storage.picture.Previews;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What workers bring back. A worker gets a place for each output, below its own attempt, and says
 * at the end what it put there; each is looked at in the store before anything is paid for. Nothing
 * that a worker says is taken for true.
 */
public final class UploadedOutputs {

  /** What is told by how it begins, so that no worker has to say it. */
  private static final List<MediaType> CARRIED =
      List.of(
          MediaType.AVIF,
          MediaType.MP4,
          MediaType.WEBM,
          MediaType.PNG,
          MediaType.JPEG,
          MediaType.WEBP,
          MediaType.GIF,
          MediaType.WAV,
          MediaType.OGG,
          MediaType.FLAC,
          MediaType.GLB);

  private static final int MOST_CARRIED = 100;

  private final ObjectStore store;
  private final Previews previews;
  private final long maxBytes;
  private final long partBytes;

  /**
   * Takes outputs into a store.
   *
   * @param maxBytes that one output may have
   * @param partBytes what is larger comes in parts of this size
   */
  public UploadedOutputs(ObjectStore store, Previews previews, long maxBytes, long partBytes) {
    this.store = store;
    this.previews = previews;
    this.maxBytes = maxBytes;
    this.partBytes = partBytes;
  }

  /**
   * Whose outputs they are.
   *
   * @param tenantSlug of the job's tenant
   */
  public record Maker(String tenantSlug, JobId job, int attempt) {

    /** Everything that this attempt may bring lies under this. */
    public String prefix() {
      return ObjectKeys.attemptPrefix(tenantSlug, job.uuid().toString(), attempt);
    }
  }

  /**
   * What a worker says that it has, or will have.
   *
   * @param sha256 in lower-case hexadecimal
   */
  public record Claim(String mediaType, long size, String sha256) {}

  /** An output that was sent through this server, as it lies in the store. */
  public record RelayedOutput(String key, Claim claim) {}

  /** A place for one output. */
  public record Place(String key, SignedUrl url) {}

  /** Places for the parts of one output. */
  public record PartedPlace(String key, String uploadId, PartUrls urls) {}

  /**
   * The parts that an output came in.
   *
   * @param tags that the store gave to them, in order
   */
  public record Parts(String uploadId, List<String> tags) {

    public Parts {
      tags = List.copyOf(tags);
    }
  }

  /** What is said of an output. */
  public sealed interface Judgement {

    /** It exists, with this size and checksum, and begins like a file of its type. */
    record Good(OutputFile file) implements Judgement {}

    /**
     * It can't be accepted, and fails the attempt.
     *
     * @param code a word for machines
     * @param worthRetrying whether another attempt may do better
     */
    record Bad(String code, String message, boolean worthRetrying) implements Judgement {}
  }

  /** A place for one output, or why there is none. */
  public sealed interface Placement {

    record Open(Place place) implements Placement {}

    record OpenInParts(PartedPlace place) implements Placement {}

    record Refused(Judgement.Bad why) implements Placement {}
  }

  /**
   * Makes a place for an output of exactly this size, type and checksum.
   *
   * @param ttl how long its URL works: as long as the lease does
   */
  public Placement offer(Maker maker, Claim claim, Duration ttl) {
    Optional<Judgement.Bad> wrong = wrong(claim);
    if (wrong.isPresent()) {
      return new Placement.Refused(wrong.get());
    }
    MediaType type = MediaType.of(claim.mediaType()).orElseThrow();
    String key =
        ObjectKeys.output(
            maker.tenantSlug(),
            maker.job().uuid().toString(),
            maker.attempt(),
            UuidCreator.getTimeOrderedEpoch(),
            type);
    if (claim.size() > partBytes) {
      PartPlan plan = PartPlan.of(claim.size(), partBytes);
      String uploadId = store.parts().begin(key, type.essence());
      return new Placement.OpenInParts(
          new PartedPlace(
              key, uploadId, PartUrls.of(store, key, uploadId, plan, plan.numbers(), ttl)));
    }
    return new Placement.Open(
        new Place(key, store.signedPut(key, type.essence(), claim.size(), claim.sha256(), ttl)));
  }

  /**
   * Fresh URLs for parts of an output that is on its way.
   *
   * @param numbers of the wanted parts, none for all; those that it doesn't have are left out
   * @return empty if this is no place of this attempt's, or too large
   */
  public Optional<PartedPlace> renew(
      Maker maker,
      String key,
      String uploadId,
      PartPlan plan,
      List<Integer> numbers,
      Duration ttl) {
    if (idOf(maker, key) == null || plan.size() > maxBytes) {
      return Optional.empty();
    }
    List<Integer> known = numbers.stream().filter(plan::has).toList();
    List<Integer> wanted = known.isEmpty() ? plan.numbers() : known;
    try {
      return Optional.of(
          new PartedPlace(key, uploadId, PartUrls.of(store, key, uploadId, plan, wanted, ttl)));
    } catch (IllegalArgumentException _) {
      // The store never gave out such an id.
      return Optional.empty();
    }
  }

  /**
   * Looks at an output in the store, right before credits are consumed for it.
   *
   * @param parts that it came in; null if it came whole
   * @param pictures for all outputs of the attempt together
   */
  public Judgement judge(
      Maker maker, String key, Claim claim, @Nullable Parts parts, PictureBudget pictures) {
    @Nullable UUID id = idOf(maker, key);
    if (id == null) {
      return new Judgement.Bad(
          "output_elsewhere", "An output is not below this attempt's own prefix.", false);
    }
    Optional<Judgement.Bad> wrong = wrong(claim);
    if (wrong.isPresent()) {
      return wrong.get();
    }
    MediaType type = MediaType.of(claim.mediaType()).orElseThrow();
    if (!key.endsWith("." + type.extension())) {
      return new Judgement.Bad("output_type", "An output's place is for another type.", false);
    }
    if (parts != null
        && store.parts().finish(key, parts.uploadId(), parts.tags())
            == PartedUploads.Finish.PARTS_DIFFER) {
      return new Judgement.Bad(
          "output_parts", "A part of an output is missing, or is another than was named.", true);
    }
    return switch (store.verify(key, claim.size(), claim.sha256())) {
      case MISSING ->
          new Judgement.Bad("output_missing", "An output was announced but is not there.", true);
      case WRONG_SIZE ->
          new Judgement.Bad("output_size", "An output has another size than announced.", true);
      case WRONG_CHECKSUM ->
          new Judgement.Bad(
              "output_checksum", "An output has another checksum than announced.", true);
      case INTACT ->
          LeadingBytes.fit(store, key, type)
              ? new Judgement.Good(file(id, key, claim, type, pictures))
              : new Judgement.Bad("output_type", "An output is not " + type.essence() + ".", false);
    };
  }

  /**
   * Takes in an output of which nobody says how large or what it is before it comes; both are seen
   * as it passes. It stands in the place of whatever the attempt brought so before.
   *
   * @return empty if it is larger than an output may be
   */
  public Optional<String> carry(Maker maker, InputStream body) throws IOException {
    byte[] head = body.readNBytes(Magic.HEAD_BYTES);
    MediaType type =
        CARRIED.stream()
            .filter(each -> Magic.fits(each, head))
            .findFirst()
            .orElse(MediaType.BINARY);
    String key =
        ObjectKeys.output(
            maker.tenantSlug(),
            maker.job().uuid().toString(),
            maker.attempt(),
            UuidCreator.getTimeOrderedEpoch(),
            type);
    List<String> before = carriedBy(maker);
    try (InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), body)) {
      store.put(key, type.essence(), whole, maxBytes);
    } catch (ObjectStoreException.TooLarge _) {
      return Optional.empty();
    }
    before.forEach(store::delete);
    return Optional.of(key);
  }

  /** What an attempt brought last, as it is found there. */
  public Optional<RelayedOutput> carried(Maker maker) {
    List<String> keys = carriedBy(maker);
    if (keys.isEmpty()) {
      return Optional.empty();
    }
    String key = keys.getLast();
    return store
        .stat(key)
        .map(stat ->
            new RelayedOutput(
                key,
                new Claim(
                    MediaType.ofFileName(key).orElse(MediaType.BINARY).essence(),
                    stat.size(),
                    stat.sha256())));
  }

  private List<String> carriedBy(Maker maker) {
    return store.list(maker.prefix(), MOST_CARRIED).stream()
        .filter(key -> idOf(maker, key) != null)
        .toList();
  }

  /** Removes all that an attempt brought, when its result is not accepted. */
  public int discard(Maker maker) {
    return store.deletePrefix(maker.prefix());
  }

  private OutputFile file(
      UUID id, String key, Claim claim, MediaType type, PictureBudget pictures) {
    Previews.Preview preview = previews.of(key, type, pictures);
    return new OutputFile(
        id,
        key,
        DownloadNames.clean("output", type),
        new OutputFile.Content(type.essence(), claim.size(), claim.sha256()),
        new OutputFile.Picture(preview.width(), preview.height(), preview.thumbnailKey()),
        null);
  }

  /** The id in the key, which the server made; null if it is not one of this attempt's. */
  private static @Nullable UUID idOf(Maker maker, String key) {
    String start = maker.prefix() + "output-";
    int end = start.length() + 36;
    boolean own =
        key.startsWith(start)
            && ObjectKeys.isKey(key)
            && key.length() > end
            && key.charAt(end) == '.';
    return own ? UUID.fromString(key.substring(start.length(), end)) : null;
  }

  private Optional<Judgement.Bad> wrong(Claim claim) {
    if (MediaType.of(claim.mediaType()).isEmpty()) {
      return Optional.of(
          new Judgement.Bad(
              "output_type", "Outputs of this media type are not stored here.", false));
    }
    if (claim.size() < 1) {
      return Optional.of(new Judgement.Bad("output_empty", "An output is empty.", false));
    }
    if (claim.size() > maxBytes) {
      return Optional.of(
          new Judgement.Bad(
              "output_too_large", "An output is larger than " + maxBytes + " bytes.", false));
    }
    if (!Sha256.isHex(claim.sha256())) {
      return Optional.of(
          new Judgement.Bad(
              "output_checksum", "A checksum must be SHA-256 in lower-case hexadecimal.", false));
    }
    return Optional.empty();
  }
}
