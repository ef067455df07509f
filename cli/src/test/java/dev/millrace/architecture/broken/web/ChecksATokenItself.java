package dev.millrace.architecture.broken.web;

import com.nimbusds.jwt.JWTParser;
import java.text.ParseException;

/** Knows the library for tokens outside its home. */
final class ChecksATokenItself {

  private ChecksATokenItself() {}

  static Object read(String text) throws ParseException {
    return JWTParser.parse(text);
  }
}
