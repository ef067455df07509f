package dev.millrace.architecture.tidy;

import java.util.List;

/**
 * A text file of the repository.
 *
 * @param path relative to the repository, with forward slashes
 */
record SourceFile(String path, String text) {

  List<String> lines() {
    return text.lines().toList();
  }

  boolean isJava() {
    return path.endsWith(".java");
  }

  boolean isMarkdown() {
    return path.endsWith(".md");
  }

  boolean isPackageInfo() {
    return path.endsWith("/package-info.java");
  }

  /** Tests, and what tests share. */
  boolean isTest() {
    return path.contains("/src/test/") || path.startsWith("testkit/");
  }

  String folder() {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }
}
