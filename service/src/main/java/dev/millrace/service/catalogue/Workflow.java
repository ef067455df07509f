package dev.millrace.service.catalogue;

import org.jspecify.annotations.Nullable;

/**
 * Something that can be executed.
 *
 * @param slug lower case letters, digits and dashes; unique
 * @param version counts up when the meaning of its properties changes
 * @param executor who runs it: {@code worker}, or the name of a provider
 * @param provider what a worker must have to run it, such as {@code comfyui}; null for nothing
 * @param active whether new jobs may be made from its effects
 * @param recipe what the executor needs besides the input
 */
public record Workflow(
    String slug,
    int version,
    String title,
    String description,
    String executor,
    @Nullable String provider,
    boolean active,
    WorkflowLimits limits,
    Properties properties,
    Recipe recipe) {}
