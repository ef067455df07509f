package dev.millrace.web.api.json;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.files.UploadView;
import dev.millrace.service.files.FileUploads;
import dev.millrace.spi.MediaTypes;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.PartUrls;
import dev.millrace.storage.SignedUrl;
import dev.millrace.storage.output.DownloadNames;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.http.Request;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Files as the API shows them: facts, and URLs that need no key and end soon. */
public final class FileJson {

  private final ObjectStore store;
  private final Duration ttl;
  private final PublicUrl publicUrl;
  private final InstantSource clock;

  public FileJson(ObjectStore store, Duration ttl, PublicUrl publicUrl, InstantSource clock) {
    this.store = store;
    this.ttl = ttl;
    this.publicUrl = publicUrl;
    this.clock = clock;
  }

  /**
   * Changes twice in the life of a URL. An answer with files is a new version then, so that a
   * client that asks for news only is never left with URLs that have ended.
   */
  public String generation() {
    return "-" + clock.millis() / Math.max(1, ttl.toMillis() / 2);
  }

  public ObjectNode file(FileView file, Request request) {
    URI base = publicUrl.of(request);
    SignedUrl url = signed(file);
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", file.id().toString());
    json.put("name", file.name());
    json.put("media_type", file.content().mediaType());
    json.put("size", file.content().size());
    json.put("sha256", file.content().sha256());
    json.put("kind", file.kind());
    json.put("job_id", JobJson.text(file.jobId()));
    json.put("width", file.content().width());
    json.put("height", file.content().height());
    json.put("url", url.under(base).toString());
    json.put("thumbnail_url", thumbnail(file.keys().thumbnailKey(), base));
    json.put("url_expires_at", url.expiresAt().toString());
    json.put("created_at", file.createdAt().toString());
    return json;
  }

  /** Where the file is to be had now, for whoever asks at an address that stays. */
  public String address(FileView file, Request request) {
    return address(signed(file), request);
  }

  /** An address of this server itself, as the client knows it. */
  public String own(String path, Request request) {
    String base = publicUrl.of(request).toString();
    return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path;
  }

  /** The address in a signed URL, as the client knows this server. */
  public String address(SignedUrl url, Request request) {
    return url.under(publicUrl.of(request)).toString();
  }

  private SignedUrl signed(FileView file) {
    return store.signedGet(
        file.keys().key(),
        file.content().mediaType(),
        DownloadNames.plain(file.id(), file.content().mediaType()),
        ttl);
  }

  /** A file that is announced, and where to put it. */
  public ObjectNode upload(FileUploads.Opened opened, Request request) {
    ObjectNode json = announced(opened.file());
    ObjectNode upload = json.putObject("upload");
    upload.put("method", opened.url().method());
    upload.put("url", address(opened.url(), request));
    upload.put("expires_at", opened.url().expiresAt().toString());
    ObjectNode headers = upload.putObject("headers");
    opened.url().headers().forEach(headers::put);
    return json;
  }

  /** A file that is announced, and where to put its parts. */
  public ObjectNode upload(FileUploads.OpenedParts opened, Request request) {
    ObjectNode json = announced(opened.file());
    ObjectNode upload = json.putObject("upload").put("method", "PUT");
    parts(upload, opened.urls(), publicUrl.of(request));
    return json;
  }

  /** The places for parts, as users and workers are told them. */
  public static void parts(ObjectNode upload, PartUrls urls, URI base) {
    upload.put("part_bytes", urls.partBytes());
    upload.put("expires_at", urls.expiresAt().toString());
    ArrayNode parts = upload.putArray("parts");
    for (PartUrls.Part part : urls.parts()) {
      ObjectNode json = parts.addObject();
      json.put("number", part.number());
      json.put("size", part.size());
      json.put("url", part.url().under(base).toString());
      ObjectNode headers = json.putObject("headers");
      part.url().headers().forEach(headers::put);
    }
  }

  private static ObjectNode announced(UploadView file) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", file.id().toString());
    json.put("state", file.state().label());
    json.put("name", file.content().name());
    json.put("media_type", file.content().mediaType());
    json.put("size", file.content().size());
    json.put("sha256", file.content().sha256());
    json.put("created_at", file.createdAt().toString());
    return json;
  }

  private @Nullable String thumbnail(@Nullable String key, URI base) {
    if (key == null) {
      return null;
    }
    return store.signedGet(key, MediaTypes.ofName(key), null, ttl).under(base).toString();
  }
}
