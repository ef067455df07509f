package dev.millrace.architecture.broken.service;

import java.net.URLConnection;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Does by itself what has a home elsewhere. */
class HasItsOwnWays {

  static MessageDigest hash() throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-256");
  }

  static Mac sign() throws GeneralSecurityException {
    return Mac.getInstance("HmacSHA256");
  }

  static boolean compare(byte[] one, byte[] other) {
    return MessageDigest.isEqual(one, other);
  }

  static @Nullable String guess(String name) {
    return URLConnection.guessContentTypeFromName(name);
  }

  static ObjectMapper buildAMapper() {
    return JsonMapper.builder().build();
  }

  static ObjectMapper makeAMapper() {
    return new ObjectMapper();
  }

  static ObjectMapper makeAYamlMapper() {
    return new YAMLMapper();
  }
}
