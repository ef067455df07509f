package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.Catalogue;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.catalogue.SourceFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue as files: the built-in ones, and those of one directory if there is one.
 *
 * <p>Call {@link #reload} once at start and refuse to start if it is rejected. Later, {@link
 * #changed} is cheap enough to ask every few seconds, and says when another reload is worth it.
 */
public final class CatalogueFiles {

  /** The largest file that is read. */
  public static final int MOST_BYTES = CatalogueFolder.MOST_BYTES;

  private final CatalogueRules rules;
  private final DraftReader reader;
  private final @Nullable CatalogueFolder folder;

  private volatile Catalogue current = Catalogue.EMPTY;
  private volatile Map<String, CatalogueFolder.Stamp> seen = Map.of();
  private volatile Set<Path> attached = Set.of();

  /**
   * @param directory the operator's own files; null if only the built-in ones are wanted
   */
  public CatalogueFiles(CatalogueRules rules, @Nullable Path directory) {
    this.rules = rules;
    this.reader = new DraftReader(rules);
    this.folder = directory == null ? null : new CatalogueFolder(directory);
  }

  /** The newest good snapshot; empty before the first reload. Never blocks. */
  public Catalogue current() {
    return current;
  }

  /** What holds for an effect that says nothing, or that is gone. */
  public EffectPolicy usualPolicy() {
    return rules.policy();
  }

  /** Reads all files again. The new snapshot becomes the current one only if all are good. */
  public synchronized Reload reload() {
    // Stamps come first: an edit while reading then shows as a change, and is not missed.
    Map<String, CatalogueFolder.Stamp> stamps = folderStamps();
    List<FileDraft> drafts = new ArrayList<>(BuiltIns.read(reader, rules.executors()));
    if (folder != null) {
      drafts.addAll(folder.read(reader));
    }
    // What the files refer to is known only now. An edit since then is too small a chance to read
    // everything twice for, and CatalogueAssets would notice it.
    attached =
        drafts.stream()
            .flatMap(draft -> draft.file().attached().stream())
            .collect(Collectors.toUnmodifiableSet());
    Reload reload = Assembly.assemble(drafts);
    if (reload instanceof Reload.Reloaded(Catalogue catalogue)) {
      current = catalogue;
    }
    seen = withAttached(stamps);
    return reload;
  }

  /**
   * What would come of a file if it were there; nothing changes.
   *
   * @param name it stands in for the file of this name, and for one with the same workflow
   */
  public CheckedFile check(String name, String text) {
    FileDraft draft =
        folder == null
            ? reader.read(new SourceFile(name, false), text)
            : folder.read(name, text, reader);
    List<FileDraft> drafts = new ArrayList<>(BuiltIns.read(reader, rules.executors()));
    if (folder != null) {
      folder.read(reader).stream().filter(other -> !replaces(draft, other)).forEach(drafts::add);
    }
    drafts.add(draft);
    return new CheckedFile(
        draft.workflow().map(WorkflowDraft::slug),
        draft.effects().stream().map(EffectDraft::slug).toList(),
        Assembly.assemble(drafts) instanceof Reload.Rejected(var problems) ? problems : List.of());
  }

  private static boolean replaces(FileDraft draft, FileDraft other) {
    Optional<String> workflow = draft.workflow().map(WorkflowDraft::slug);
    return other.file().name().equals(draft.file().name())
        || (workflow.isPresent() && workflow.equals(other.workflow().map(WorkflowDraft::slug)));
  }

  /**
   * Whether the directory looks different from when it was last read, whatever came of that
   * reading: a mistake is reported once, and again only after the next edit.
   */
  public boolean changed() {
    return !withAttached(folderStamps()).equals(seen);
  }

  private Map<String, CatalogueFolder.Stamp> folderStamps() {
    return folder == null ? Map.of() : folder.stamps();
  }

  private Map<String, CatalogueFolder.Stamp> withAttached(
      Map<String, CatalogueFolder.Stamp> stamps) {
    Map<String, CatalogueFolder.Stamp> all = new TreeMap<>(stamps);
    attached.forEach(path -> all.put(path.toString(), CatalogueFolder.stamp(path)));
    return all;
  }
}
