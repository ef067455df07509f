package dev.millrace.architecture.tidy;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** What only a parser can see in Java sources: the sizes of methods and the names of types. */
final class JavaChecks {

  static final int LONGEST_FILE = 400;
  static final int LONGEST_METHOD = 60;

  private static final Pattern EMPTY_NAME =
      Pattern.compile(".+(Manager|Helper|Util|Utils|Impl|Base)");

  private JavaChecks() {}

  static List<Flaw> check(List<SourceFile> files) throws IOException {
    List<Flaw> flaws = new ArrayList<>();
    Map<String, SourceFile> java = new TreeMap<>();
    for (SourceFile file : files) {
      if (file.isJava()) {
        java.put(file.path(), file);
        if (file.lines().size() > LONGEST_FILE) {
          flaws.add(new Flaw(file.path(), LONGEST_FILE, "longer than " + LONGEST_FILE + " lines"));
        }
      }
    }
    List<InMemory> sources = java.values().stream().map(InMemory::new).toList();
    // Only parsed, never compiled: no class path is needed and nothing is written.
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, null, List.of("-proc:none"), null, sources);
    SourcePositions positions = Trees.instance(task).getSourcePositions();
    for (CompilationUnitTree unit : task.parse()) {
      // The compiler wraps the files it was given; their addresses come through unchanged.
      String path = unit.getSourceFile().toUri().getPath().substring(1);
      new Scanner(path, unit, positions, flaws).scan(unit, null);
    }
    return flaws;
  }

  private static final class Scanner extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final String path;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<Flaw> flaws;

    Scanner(String path, CompilationUnitTree unit, SourcePositions positions, List<Flaw> flaws) {
      this.path = path;
      this.unit = unit;
      this.positions = positions;
      this.flaws = flaws;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
      if (EMPTY_NAME.matcher(type.getSimpleName()).matches()) {
        flaws.add(new Flaw(path, firstLine(type), "a name that says nothing"));
      }
      return super.visitClass(type, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
      BlockTree body = method.getBody();
      if (body != null && !isTable(body) && lines(body) > LONGEST_METHOD) {
        String law = method.getName() + " is longer than " + LONGEST_METHOD + " lines";
        flaws.add(new Flaw(path, firstLine(method), law));
      }
      return super.visitMethod(method, null);
    }

    /** One statement that returns a long list is data: there is nothing to follow in it. */
    private static boolean isTable(BlockTree body) {
      return body.getStatements().size() == 1
          && body.getStatements().getFirst() instanceof ReturnTree;
    }

    private long lines(Tree tree) {
      return unit.getLineMap().getLineNumber(positions.getEndPosition(unit, tree))
          - firstLine(tree)
          + 1;
    }

    private long firstLine(Tree tree) {
      return unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
    }
  }

  private static final class InMemory extends SimpleJavaFileObject {
    private final String text;

    InMemory(SourceFile file) {
      super(URI.create("memory:///" + file.path()), JavaFileObject.Kind.SOURCE);
      this.text = file.text();
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
