package dev.millrace.web.dialect;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.postgres.files.Files;
import dev.millrace.service.access.Principal;
import dev.millrace.service.files.FileUploads;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectStat;
import dev.millrace.storage.ObjectWriter;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.form.FormFiles;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Files that come within a request, as parts of a form or written into its JSON. */
public record GivenFiles(FileUploads uploads, Files files) {

  /** Whose file it is. */
  public record Owner(int tenant, String slug, String user, @Nullable String workspace) {

    public static Owner of(Principal principal, @Nullable String user) {
      return new Owner(
          principal.tenant(),
          principal.tenantSlug(),
          Params.user(principal, user, "/user"),
          Params.workspace(principal, null, "/workspace"));
    }
  }

  /**
   * Stores a file of a form.
   *
   * @param type as what; null for what its name or its sender says
   * @param notes what is written on it, a JSON object
   */
  public UUID bring(Owner owner, FormFiles.Part part, @Nullable MediaType type, String notes) {
    if (part.size() == 0) {
      throw ProblemException.invalid("/" + part.name(), "must not be empty");
    }
    String name = part.filename() == null || part.filename().isBlank() ? "file" : part.filename();
    return bring(
        wish(owner, name, type == null ? typeOf(name, part.contentType()) : type, part.size()),
        "/" + part.name(),
        notes,
        out -> {
          try (InputStream in = part.open()) {
            in.transferTo(out);
          }
        });
  }

  /** The same, unless the user brought the very same content before. */
  public UUID same(Owner owner, FormFiles.Part part) {
    String name = part.filename() == null ? "file" : part.filename();
    MediaType type = typeOf(name, part.contentType());
    String sha256;
    try (InputStream in = part.open()) {
      sha256 = ObjectStat.of(in).sha256();
    } catch (IOException e) {
      throw new IllegalStateException("what was received can't be read again", e);
    }
    return files
        .same(owner.tenant, owner.user, sha256, type.essence())
        .orElseGet(() -> bring(owner, part, type, "{}"));
  }

  private static MediaType typeOf(String name, @Nullable String told) {
    return MediaType.of(told == null ? "" : told)
        .filter(type -> type != MediaType.BINARY)
        .or(() -> MediaType.ofFileName(name))
        .orElse(MediaType.BINARY);
  }

  private static FileUploads.Wish wish(Owner owner, String name, MediaType type, long size) {
    return new FileUploads.Wish(
        owner.tenant, owner.slug, owner.user, name, type, size, null, owner.workspace);
  }

  private UUID bring(
      FileUploads.Wish wish, String path, @Nullable String notes, ObjectWriter content) {
    FileUploads.Brought brought;
    try {
      brought = Refusals.requirePlace(uploads.bring(wish, notes, content));
    } catch (IOException e) {
      throw new IllegalStateException("what was received can't be read again", e);
    }
    if (brought.confirmed() != FileUploads.Confirmed.READY) {
      throw ProblemException.invalid(path, "is not a file of type " + wish.type().essence());
    }
    return brought.id();
  }

  /**
   * The file that a {@code data:} address has in it. The same content of the same user is one file,
   * so that a request which is sent again is the same request.
   */
  public UUID ofDataUri(Owner owner, String uri, String path) {
    int comma = uri.indexOf(',');
    String head = comma < 0 ? "" : uri.substring("data:".length(), comma);
    if (!head.endsWith(";base64")) {
      throw ProblemException.invalid(path, "must be a data URI in base64");
    }
    MediaType type =
        MediaType.of(head.substring(0, head.length() - ";base64".length()))
            .orElseThrow(
                () -> ProblemException.invalid(path, "is of a type that is not stored here"));
    byte[] bytes;
    try {
      bytes = Base64.getMimeDecoder().decode(uri.substring(comma + 1));
    } catch (IllegalArgumentException _) {
      throw ProblemException.invalid(path, "must be a data URI in base64");
    }
    if (bytes.length == 0) {
      throw ProblemException.invalid(path, "must not be empty");
    }
    return files
        .same(owner.tenant, owner.user, Sha256.hex(bytes), type.essence())
        .orElseGet(() ->
            bring(
                wish(owner, "input." + type.extension(), type, bytes.length),
                path,
                null,
                out -> out.write(bytes)));
  }
}
