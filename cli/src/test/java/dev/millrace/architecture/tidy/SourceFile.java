package dev.millrace.architecture.tidy;

import java.util.List;

/**
 * A text file of the repository.
 *
 * @param path relative to the repository, with forward slashes
 */
public record SourceFile(String path, String text) {

  public List<String> lines() {
    return text.lines().toList();
  }

  public boolean isJava() {
    return path.endsWith(".java");
  }

  public boolean isMarkdown() {
    return path.endsWith(".md");
  }

  boolean isPackageInfo() {
    return path.endsWith("/package-info.java");
  }

  /** Tests, and what tests share. */
  public boolean isTest() {
    return path.contains("/src/test/") || path.startsWith("testkit/");
  }

  public String folder() {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }
}
