package dev.millrace.service.access;

import dev.millrace.contract.digest.ConstantTime;
import dev.millrace.contract.digest.HmacSha256;
import dev.millrace.engine.job.JobId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Codes that let whoever has one see what comes of one job, and nothing else, for as long as the
 * job is there. Clients that fetch a result without any key are given such addresses.
 */
public final class JobLinks {

  private static final int NAME_BYTES = Integer.BYTES + 2 * Long.BYTES;
  private static final int SEAL_BYTES = 16;
  private static final int CODE_CHARS = (NAME_BYTES + SEAL_BYTES) * 8 / 6;

  private final List<byte[]> keys;

  /**
   * Makes and reads codes.
   *
   * @param keys the one that seals first; the others are still read
   */
  public JobLinks(List<byte[]> keys) {
    this.keys = keys.stream().map(byte[]::clone).toList();
  }

  public String code(JobId job) {
    byte[] name =
        ByteBuffer.allocate(NAME_BYTES)
            .putInt(job.tenant())
            .putLong(job.uuid().getMostSignificantBits())
            .putLong(job.uuid().getLeastSignificantBits())
            .array();
    byte[] seal = seal(keys.getFirst(), name);
    return Base64.getUrlEncoder()
        .encodeToString(ByteBuffer.allocate(NAME_BYTES + SEAL_BYTES).put(name).put(seal).array());
  }

  /** The job of a code that was made here. */
  public Optional<JobId> job(String code) {
    if (code.length() != CODE_CHARS) {
      return Optional.empty();
    }
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(code);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
    byte[] name = Arrays.copyOf(bytes, NAME_BYTES);
    byte[] seal = Arrays.copyOfRange(bytes, NAME_BYTES, bytes.length);
    if (keys.stream().noneMatch(key -> ConstantTime.equal(seal(key, name), seal))) {
      return Optional.empty();
    }
    ByteBuffer fields = ByteBuffer.wrap(name);
    int tenant = fields.getInt();
    return Optional.of(new JobId(tenant, new UUID(fields.getLong(), fields.getLong())));
  }

  private static byte[] seal(byte[] key, byte[] name) {
    return Arrays.copyOf(HmacSha256.of(key, "job link ", name), SEAL_BYTES);
  }
}
