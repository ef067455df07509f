package dev.millrace.web.dialect.videos;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where a workflow runs: this dialect knows a ComfyUI beside the worker, and Comfy Cloud. */
final class ProviderLabels {

  private static final String SELF_HOSTED = "self_hosted";
  private static final String CLOUD = "cloud";
  private static final String COMFYUI = "comfyui";
  private static final String COMFY_CLOUD = "comfy-cloud";

  private ProviderLabels() {}

  static String ours(String label) {
    return switch (label.toLowerCase(Locale.ROOT)) {
      case SELF_HOSTED, "local", "managed" -> COMFYUI;
      case CLOUD -> COMFY_CLOUD;
      default -> label.toLowerCase(Locale.ROOT).replace('_', '-');
    };
  }

  static String theirs(@Nullable String provider) {
    if (provider == null || provider.equals(COMFYUI)) {
      return SELF_HOSTED;
    }
    return provider.equals(COMFY_CLOUD) ? CLOUD : provider;
  }
}
