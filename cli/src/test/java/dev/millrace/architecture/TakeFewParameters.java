package dev.millrace.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;

/** Nobody can tell the ninth of many arguments from the tenth; a group of them has a name. */
final class TakeFewParameters extends ArchCondition<JavaClass> {

  static final int MOST = 8;

  /** An enum's name and ordinal, which the compiler adds. */
  private static final int ADDED_TO_ENUMS = 2;

  /** These take more and are to be split. The list only ever gets shorter. */
  private static final Set<String> TO_BE_SPLIT =
      Set.of(
          "bench.load.Sizes",
          "providers.scrape.Page",
          "server.settings.Settings",
          "server.settings.Settings$Services",
          "service.catalogue.Effect",
          "sketch.canvas.Palette",
          "spi.provider.Order",
          "storage.url.UrlSigner$Claim",
          "web.console.job.JobQuery",
          "web.console.studio.FormField",
          "worker.control.LeasedJob",
          "worker.settings.WorkerSettings");

  private final String root;

  TakeFewParameters(String root) {
    super("have no constructor with more than " + MOST + " parameters");
    this.root = root;
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    boolean allowed = TO_BE_SPLIT.contains(type.getName().substring(root.length() + 1));
    for (JavaConstructor constructor : type.getConstructors()) {
      int count = constructor.getRawParameterTypes().size() - (type.isEnum() ? ADDED_TO_ENUMS : 0);
      if (count > MOST && !allowed) {
        events.add(
            SimpleConditionEvent.violated(
                type, "%s takes %d parameters".formatted(constructor.getFullName(), count)));
      }
    }
  }
}
