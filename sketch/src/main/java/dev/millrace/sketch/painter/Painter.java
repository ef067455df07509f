package dev.millrace.sketch.painter;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.subject.Brief;
import java.util.List;

/** Draws in one style. */
@FunctionalInterface
public interface Painter {

  /** The steps that draw the brief on the canvas when run in order, once. */
  List<Step> plan(Canvas canvas, Brief brief);
}
