package dev.millrace.storage;

import dev.millrace.contract.digest.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;

/**
 * What a store holds under a key.
 *
 * @param sha256 in lower-case hexadecimal
 */
public record ObjectStat(long size, String sha256) {

  public static ObjectStat of(byte[] bytes) {
    return new ObjectStat(bytes.length, Sha256.hex(bytes));
  }

  /** Reads to the end; the size is that of what was read, so it belongs to the checksum. */
  public static ObjectStat of(InputStream stream) throws IOException {
    MessageDigest digest = Sha256.start();
    long size = stream.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
    return new ObjectStat(size, Sha256.hex(digest));
  }
}
