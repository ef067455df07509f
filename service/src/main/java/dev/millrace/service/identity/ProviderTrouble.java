package dev.millrace.service.identity;

/**
 * A provider can't be asked, or answers something that can't be used. Its message quotes nothing.
 */
final class ProviderTrouble extends Exception {
  private static final long serialVersionUID = 1L;

  ProviderTrouble(String message) {
    super(message);
  }
}
