package dev.millrace.mutants.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverPatchTest {

  @TempDir Path folder;

  @Test
  void whatever_finds_a_statement_by_its_text_asks_for_the_text_first() throws IOException {
    DriverPatch.write(folder);
    ClassModel patched =
        ClassFile.of().parse(folder.resolve("org/postgresql/core/QueryExecutorBase.class"));
    assertThat(ClassFile.of().verify(patched)).isEmpty();
    assertThat(patched.methods())
        .filteredOn(DriverPatchTest::asks)
        .extracting(method -> method.methodName().stringValue())
        .containsExactlyInAnyOrder(
            "borrowQuery", "borrowCallableQuery", "borrowReturningQuery", "createQueryKey");
  }

  private static boolean asks(MethodModel method) {
    return method.code().stream()
        .flatMap(code -> code.elementStream())
        .anyMatch(element ->
            element instanceof InvokeInstruction call
                && call.owner().asInternalName().endsWith("PatchedSql"));
  }
}
