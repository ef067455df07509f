package dev.millrace.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/**
 * Holds for a class whose package has a {@code package-info.java} that says {@code @NullMarked}.
 */
final class LiveInANullMarkedPackage extends ArchCondition<JavaClass> {

  LiveInANullMarkedPackage() {
    super("live in a package that is @NullMarked");
  }

  @Override
  public void check(JavaClass item, ConditionEvents events) {
    boolean marked =
        item.getPackage()
            .tryGetPackageInfo()
            .map(info -> info.isAnnotatedWith(NullMarked.class))
            .orElse(false);
    String message = item.getName() + " lives in a package that isn't @NullMarked";
    events.add(new SimpleConditionEvent(item, marked, message));
  }
}
