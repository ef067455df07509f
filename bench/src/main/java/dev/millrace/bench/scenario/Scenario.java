package dev.millrace.bench.scenario;

import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Site;

/** One thing to measure. */
public interface Scenario {

  /** One lower case letter. */
  String letter();

  /** In a few words. */
  String title();

  void run(Site site, Sizes sizes, Sheet sheet) throws Exception;
}
