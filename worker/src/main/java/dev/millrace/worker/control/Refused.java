package dev.millrace.worker.control;

/** The server understood and said no; the same again gets the same. */
public final class Refused extends Exception {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;

  Refused(int status, String code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }
}
