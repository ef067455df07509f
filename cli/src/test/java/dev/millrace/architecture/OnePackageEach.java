package dev.millrace.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** Cuts the classes under a root so that every package, parent or child, is a slice of its own. */
record OnePackageEach(String root) implements SliceAssignment {

  @Override
  public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
    String name = javaClass.getPackageName();
    return name.startsWith(root + ".") ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
  }

  @Override
  public String getDescription() {
    return "packages under " + root;
  }
}
