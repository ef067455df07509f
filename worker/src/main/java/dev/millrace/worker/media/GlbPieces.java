package dev.millrace.worker.media;

import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The description in a GLB: what {@code asset.extras} says becomes nothing, and the room that it
 * took becomes blanks. Extras of other things stay, because viewers need some of them.
 */
final class GlbPieces {

  private static final int HEADER = 12;
  private static final int FRAME = 8;
  private static final int LONGEST = 64 * 1024 * 1024;
  private static final JsonFactory JSON = new JsonFactory();

  private GlbPieces() {}

  static void blank(Bytes file) throws IOException, Broken {
    file.require(0, HEADER + FRAME);
    long length = file.number(HEADER, 4, ByteOrder.LITTLE_ENDIAN);
    if (!file.latin1(HEADER + 4, 4).equals("JSON") || length > LONGEST) {
      throw new Broken("no description");
    }
    file.require(HEADER + FRAME, length);
    byte[] json = file.get(HEADER + FRAME, (int) length);
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new Broken("no description");
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean asset = parser.currentName().equals("asset");
        if (parser.nextToken() == JsonToken.START_OBJECT && asset) {
          extras(parser, json);
        } else {
          parser.skipChildren();
        }
      }
    } catch (JacksonException _) {
      throw new Broken("no description");
    }
    file.put(HEADER + FRAME, json);
  }

  private static void extras(JsonParser parser, byte[] json) {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      boolean extras = parser.currentName().equals("extras");
      parser.nextToken();
      int from = (int) parser.currentTokenLocation().getByteOffset();
      parser.skipChildren();
      parser.finishToken();
      int to = (int) parser.currentLocation().getByteOffset();
      // What has no room for this has none for a graph either.
      if (extras && to - from >= 2) {
        Arrays.fill(json, from, to, (byte) ' ');
        json[from] = '{';
        json[from + 1] = '}';
      }
    }
  }
}
