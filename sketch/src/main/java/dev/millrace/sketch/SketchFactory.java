package dev.millrace.sketch;

import dev.millrace.spi.provider.Performer;
import dev.millrace.spi.provider.ProviderFactory;
import dev.millrace.spi.provider.ProviderSettings;
import java.util.List;

/** Makes the provider that draws by itself, which needs nothing. */
public final class SketchFactory implements ProviderFactory {

  @Override
  public String name() {
    return "sketch";
  }

  @Override
  public List<Performer> performers(ProviderSettings settings) {
    return List.of(new SketchProvider());
  }
}
