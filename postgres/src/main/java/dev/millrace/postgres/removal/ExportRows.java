package dev.millrace.postgres.removal;

import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Hands out a tenant's rows a page at a time, each page on a connection that is given back. */
public final class ExportRows {

  /** A page is as large as its rows, of which the inputs of jobs are the largest. */
  public static final int PAGE = 200;

  private final Jdbi jdbi;

  public ExportRows(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** After which row to go on. */
  public record Place(String parent, String child) {}

  /**
   * Some rows.
   *
   * @param lines each a JSON object
   * @param next where the next page begins, or null if this is the last
   */
  public record Page(List<String> lines, @Nullable Place next) {}

  private record Row(Place place, String line) {}

  /**
   * The next rows of a topic.
   *
   * @param after where the page before ended, or null for the beginning
   */
  public Page page(int tenant, ExportTopic topic, @Nullable Place after) {
    Place from = after == null ? topic.beginning() : after;
    List<Row> rows =
        jdbi.withHandle(handle ->
            handle
                .createQuery(topic.statement())
                .bind("tenant", tenant)
                .bind("parent", from.parent())
                .bind("child", from.child())
                .bind("limit", PAGE)
                .map((row, _) ->
                    new Row(
                        new Place(row.getString("parent"), row.getString("child")),
                        row.getString("line")))
                .list());
    return new Page(
        rows.stream().map(Row::line).toList(), rows.size() < PAGE ? null : rows.getLast().place());
  }
}
