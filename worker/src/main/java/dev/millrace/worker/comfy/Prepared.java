package dev.millrace.worker.comfy;

import java.util.List;
import java.util.Map;

/**
 * A graph that can be posted.
 *
 * @param files the uploaded files that it names
 */
record Prepared(Map<String, Object> graph, List<String> files) {}
