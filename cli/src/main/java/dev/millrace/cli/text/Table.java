package dev.millrace.cli.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows in aligned columns, as wide as the terminal at most. To get there, the widest columns that
 * may shrink do so first; ids and numbers never do, because a shortened one is useless.
 */
public final class Table {

  private static final String GAP = "  ";
  private static final int NARROWEST = 6;

  /** A column's title and manners. */
  public record Column(String title, Kind kind) {

    /** A column that is never cut. */
    public static Column id(String title) {
      return new Column(title, Kind.ID);
    }

    /** A column that is cut if the line gets too long. */
    public static Column text(String title) {
      return new Column(title, Kind.TEXT);
    }

    /** A column that is aligned right and never cut. */
    public static Column number(String title) {
      return new Column(title, Kind.NUMBER);
    }

    /** A column of job states, in their colours. */
    public static Column state(String title) {
      return new Column(title, Kind.STATE);
    }
  }

  enum Kind {
    ID,
    TEXT,
    NUMBER,
    STATE
  }

  private final List<Column> columns;
  private final List<List<String>> rows = new ArrayList<>();

  public Table(Column... columns) {
    this.columns = List.of(columns);
  }

  public Table row(String... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(columns.size() + " columns, " + cells.length + " cells");
    }
    List<String> row = new ArrayList<>();
    for (String cell : cells) {
      row.add(Clip.plain(cell));
    }
    rows.add(row);
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The lines, title first, without trailing blanks. */
  public List<String> render(int width, TextStyle style) {
    int[] widths = widths(width);
    List<String> lines = new ArrayList<>();
    lines.add(style.dim(titles(widths)));
    for (List<String> row : rows) {
      lines.add(line(row, widths, style));
    }
    return lines;
  }

  private String titles(int[] widths) {
    List<String> titles = columns.stream().map(Column::title).toList();
    return line(titles, widths, new TextStyle(false, false));
  }

  private String line(List<String> cells, int[] widths, TextStyle style) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = Clip.fit(cells.get(i), widths[i], style.unicode());
      String padding = " ".repeat(widths[i] - Clip.width(cell));
      boolean last = i == widths.length - 1;
      line.append(i == 0 ? "" : GAP);
      switch (columns.get(i).kind()) {
        case NUMBER -> line.append(padding).append(cell);
        case STATE -> line.append(style.state(cell, cell)).append(last ? "" : padding);
        case ID, TEXT -> line.append(cell).append(last ? "" : padding);
      }
    }
    return line.toString().stripTrailing();
  }

  private int[] widths(int available) {
    int[] widths = new int[columns.size()];
    int total = GAP.length() * (widths.length - 1);
    for (int i = 0; i < widths.length; i++) {
      widths[i] = columns.get(i).title().length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], Clip.width(row.get(i)));
      }
      total += widths[i];
    }
    for (int excess = total - available; excess > 0; excess--) {
      int widest = widestThatMayShrink(widths);
      if (widest < 0) {
        break;
      }
      widths[widest]--;
    }
    return widths;
  }

  private int widestThatMayShrink(int[] widths) {
    int widest = -1;
    for (int i = 0; i < widths.length; i++) {
      Column column = columns.get(i);
      int floor = Math.max(NARROWEST, column.title().length());
      if (column.kind() == Kind.TEXT
          && widths[i] > floor
          && (widest < 0 || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    return widest;
  }
}
