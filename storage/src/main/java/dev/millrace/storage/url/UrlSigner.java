package dev.millrace.storage.url;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.contract.digest.ConstantTime;
import dev.millrace.contract.digest.HmacSha256;
import dev.millrace.contract.digest.Sha256;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.PartAddress;
import dev.millrace.storage.PartedUploads;
import dev.millrace.storage.SignedUrl;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes and checks the URLs of objects that this server serves itself. The signature covers all
 * that the request may decide: method, key, expiry, media type, size, checksum and file name. A
 * parameter that is not signed, or comes twice, spoils the URL, so that nothing behind it can read
 * a request differently from how it was checked.
 */
public final class UrlSigner {

  /** Where the server must route signed requests. */
  public static final String PATH = "/objects/";

  private static final Set<String> GET_PARAMETERS = Set.of("expires", "type", "name", "signature");
  private static final Set<String> PUT_PARAMETERS =
      Set.of("expires", "type", "size", "sha256", "upload", "part", "signature");
  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,17}");
  private static final Pattern SECONDS = Pattern.compile("[1-9][0-9]{0,10}");
  private static final Pattern UPLOAD = Pattern.compile("[0-9a-f-]{36}");
  private static final Pattern PART = Pattern.compile("[1-9][0-9]{0,3}");
  private static final Pattern TYPE =
      Pattern.compile("[a-z0-9][a-z0-9.+-]{0,63}/[a-z0-9][a-z0-9.+-]{0,63}");
  private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}]{1,255}");

  private final List<byte[]> keys;

  public UrlSigner(SigningKeys keys) {
    this.keys = keys.all();
  }

  public SignedUrl get(String key, String mediaType, @Nullable String filename, Instant expiresAt) {
    return sign(
        new Claim(
            "GET", key, expiresAt.getEpochSecond(), mediaType, null, null, filename, null, null));
  }

  public SignedUrl put(
      String key, String mediaType, long size, @Nullable String sha256, Instant expiresAt) {
    return sign(
        new Claim(
            "PUT",
            key,
            expiresAt.getEpochSecond(),
            mediaType,
            Long.toString(size),
            sha256,
            null,
            null,
            null));
  }

  public SignedUrl part(PartAddress part, long size, Instant expiresAt) {
    return sign(
        new Claim(
            "PUT",
            part.key(),
            expiresAt.getEpochSecond(),
            PartedUploads.PART_TYPE,
            Long.toString(size),
            null,
            null,
            part.uploadId(),
            Integer.toString(part.number())));
  }

  /**
   * Decides about a request. The signature is checked before the expiry: only who once had a good
   * URL learns that it has expired.
   */
  public UrlVerdict verify(ObjectRequest request, Instant now) {
    Set<String> allowed;
    switch (request.method()) {
      case "GET", "HEAD" -> allowed = GET_PARAMETERS;
      case "PUT" -> allowed = PUT_PARAMETERS;
      default -> {
        return new UrlVerdict.Refused("method");
      }
    }
    for (Map.Entry<String, List<String>> parameter : request.query().entrySet()) {
      if (!allowed.contains(parameter.getKey()) || parameter.getValue().size() != 1) {
        return new UrlVerdict.Refused("unsigned or repeated parameter");
      }
    }
    Claim claim = Claim.of(request);
    String signature = parameter(request, "signature");
    if (claim == null || signature == null || !claim.wellFormed()) {
      return new UrlVerdict.Refused("malformed");
    }
    if (!signedByUs(claim, signature)) {
      return new UrlVerdict.Refused("signature");
    }
    Instant expiresAt = Instant.ofEpochSecond(claim.expires());
    if (!now.isBefore(expiresAt)) {
      return new UrlVerdict.Expired(expiresAt);
    }
    return claim.grant(request);
  }

  private SignedUrl sign(Claim claim) {
    if (!claim.wellFormed()) {
      throw new IllegalArgumentException("a signed URL can't carry these values");
    }
    String signature = signature(claim, keys.getFirst());
    StringBuilder uri =
        new StringBuilder(PATH).append(claim.key()).append("?expires=").append(claim.expires());
    uri.append("&type=").append(encode(claim.type()));
    Map<String, String> headers = new LinkedHashMap<>();
    if (claim.size() != null) {
      uri.append("&size=").append(claim.size());
      headers.put("Content-Type", claim.type());
      headers.put("Content-Length", claim.size());
    }
    if (claim.sha256() != null) {
      uri.append("&sha256=").append(claim.sha256());
    }
    if (claim.name() != null) {
      uri.append("&name=").append(encode(claim.name()));
    }
    if (claim.upload() != null) {
      uri.append("&upload=").append(claim.upload()).append("&part=").append(claim.part());
    }
    uri.append("&signature=").append(signature);
    return new SignedUrl(
        URI.create(uri.toString()),
        claim.method(),
        headers,
        Instant.ofEpochSecond(claim.expires()));
  }

  /** Looks at every key whatever the first says, and at every byte of each. */
  private boolean signedByUs(Claim claim, String given) {
    boolean good = false;
    for (byte[] key : keys) {
      good |= ConstantTime.equal(signature(claim, key), given);
    }
    return good;
  }

  /**
   * The signature is compared as text: base64 leaves bits unused, so several texts decode to the
   * same bytes, and only one of them is the one we gave out.
   */
  private static String signature(Claim claim, byte[] key) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(HmacSha256.of(key, claim.canonical()));
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, UTF_8).replace("+", "%20").replace("*", "%2A");
  }

  private static @Nullable String parameter(ObjectRequest request, String name) {
    List<String> values = request.query().get(name);
    return values == null ? null : values.getFirst();
  }

  /** What is signed; size, checksum and part belong to a PUT only, the name to a GET only. */
  private record Claim(
      String method,
      String key,
      long expires,
      String type,
      @Nullable String size,
      @Nullable String sha256,
      @Nullable String name,
      @Nullable String upload,
      @Nullable String part) {

    static @Nullable Claim of(ObjectRequest request) {
      String expires = parameter(request, "expires");
      String type = parameter(request, "type");
      if (expires == null
          || type == null
          || !SECONDS.matcher(expires).matches()
          || !request.path().startsWith(PATH)) {
        return null;
      }
      return new Claim(
          request.method().equals("HEAD") ? "GET" : request.method(),
          request.path().substring(PATH.length()),
          Long.parseLong(expires),
          type,
          parameter(request, "size"),
          parameter(request, "sha256"),
          parameter(request, "name"),
          parameter(request, "upload"),
          parameter(request, "part"));
    }

    boolean wellFormed() {
      return ObjectKeys.isKey(key)
          && SECONDS.matcher(Long.toString(expires)).matches()
          && TYPE.matcher(type).matches()
          && (size == null ? method.equals("GET") : NUMBER.matcher(size).matches())
          && (sha256 == null || Sha256.isHex(sha256))
          && (upload == null
              ? part == null
              : part != null && UPLOAD.matcher(upload).matches() && PART.matcher(part).matches())
          && (name == null || (NAME.matcher(name).matches() && UTF_8.newEncoder().canEncode(name)));
    }

    /** Each value is preceded by its length, so no two claims read the same. */
    String canonical() {
      List<String> values = new ArrayList<>(List.of("millrace-url-1", method, key, "" + expires));
      values.add(type);
      values.add(size == null ? "" : size);
      values.add(sha256 == null ? "" : sha256);
      values.add(name == null ? "" : name);
      if (upload != null && part != null) {
        values.add(upload);
        values.add(part);
      }
      StringBuilder text = new StringBuilder();
      values.forEach(value -> text.append(value.length()).append(':').append(value).append('\n'));
      return text.toString();
    }

    /** The signature is good; a PUT must still send what was agreed. */
    UrlVerdict grant(ObjectRequest request) {
      if (size == null) {
        return new UrlVerdict.Granted(method, key, type, name, ObjectRequest.UNKNOWN_LENGTH, null);
      }
      String contentType = request.contentType();
      if (contentType == null || !contentType.strip().toLowerCase(Locale.ROOT).equals(type)) {
        return new UrlVerdict.Refused("content type");
      }
      long agreed = Long.parseLong(size);
      if (request.contentLength() != agreed) {
        return new UrlVerdict.Refused("content length");
      }
      if (upload != null && part != null) {
        return new UrlVerdict.PartGranted(
            new PartAddress(key, upload, Integer.parseInt(part)), agreed);
      }
      return new UrlVerdict.Granted(method, key, type, null, agreed, sha256);
    }
  }
}
