package dev.millrace.providers.fetch;

import java.io.IOException;

/**
 * A fetch that ended before its answer was read. Its message is made of our own words only: neither
 * the URL nor a header gets in.
 */
@SuppressWarnings("serial")
public final class FetchTrouble extends IOException {

  private final FetchResult.Trouble trouble;

  public FetchTrouble(FetchResult.Trouble trouble) {
    super(trouble.toString());
    this.trouble = trouble;
  }

  static FetchTrouble refused(FetchResult.Reason reason) {
    return new FetchTrouble(new FetchResult.Refused(reason));
  }

  static FetchTrouble unreachable(FetchResult.Gap gap) {
    return new FetchTrouble(new FetchResult.Unreachable(gap));
  }

  static FetchTrouble tooLarge(FetchResult.Excess excess) {
    return new FetchTrouble(new FetchResult.TooLarge(excess));
  }

  public FetchResult.Trouble trouble() {
    return trouble;
  }
}
