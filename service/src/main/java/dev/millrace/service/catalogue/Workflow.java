package dev.millrace.service.catalogue;

import org.jspecify.annotations.Nullable;

/**
 * Something that can be executed.
 *
 * @param heading what people know it by; its slug is lower case letters, digits and dashes, unique
 * @param version counts up when the meaning of its properties changes
 * @param executor who runs it: {@code worker}, or the name of a provider
 * @param provider what a worker must have to run it, such as {@code comfyui}; null for nothing
 * @param active whether new jobs may be made from its effects
 * @param recipe what the executor needs besides the input
 */
public record Workflow(
    Effect.Heading heading,
    int version,
    String executor,
    @Nullable String provider,
    boolean active,
    WorkflowLimits limits,
    Properties properties,
    Recipe recipe) {

  public String slug() {
    return heading.slug();
  }

  public String title() {
    return heading.title();
  }

  public String description() {
    return heading.description();
  }
}
