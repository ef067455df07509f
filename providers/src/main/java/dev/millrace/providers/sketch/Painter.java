package dev.millrace.providers.sketch;

import java.util.List;

/** Draws in one style. */
@FunctionalInterface
interface Painter {

  /** The steps that draw the brief on the canvas when run in order, once. */
  List<Step> plan(Canvas canvas, Brief brief);
}
