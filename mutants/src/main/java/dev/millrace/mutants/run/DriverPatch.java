package dev.millrace.mutants.run;

import dev.millrace.mutants.child.PatchedSql;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;

/**
 * Makes a driver that asks {@link PatchedSql} for the text of each statement, by a changed copy of
 * the one class that all texts come through. It has to stand before the driver in a class path.
 */
final class DriverPatch {

  private static final String TYPE = "org/postgresql/core/QueryExecutorBase.class";

  /** Each has the text as its first argument. */
  private static final Set<String> DOORS =
      Set.of("borrowQuery", "borrowCallableQuery", "borrowReturningQuery", "createQueryKey");

  private static final ClassDesc PATCHED = PatchedSql.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc OF =
      MethodTypeDesc.of(ConstantDescs.CD_String, ConstantDescs.CD_String);

  private DriverPatch() {}

  static void write(Path folder) throws IOException {
    Path file = folder.resolve(TYPE);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    try (InputStream in = DriverPatch.class.getClassLoader().getResourceAsStream(TYPE)) {
      Files.write(file, patched(Objects.requireNonNull(in, "the driver").readAllBytes()));
    }
  }

  private static byte[] patched(byte[] original) {
    ClassModel model = ClassFile.of().parse(original);
    long doors = model.methods().stream().filter(DriverPatch::isDoor).count();
    if (doors != DOORS.size()) {
      throw new IllegalStateException("the driver has other methods than those known here");
    }
    return ClassFile.of()
        .transformClass(
            model, ClassTransform.transformingMethodBodies(DriverPatch::isDoor, new AskFirst()));
  }

  private static boolean isDoor(MethodModel method) {
    return DOORS.contains(method.methodName().stringValue());
  }

  private static final class AskFirst implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      code.aload(1).invokestatic(PATCHED, "of", OF).astore(1);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }
}
