/** Tests of reading pages: ordinary and adversarial ones, robots.txt, and every kind of failure. */
@org.jspecify.annotations.NullMarked
package dev.millrace.providers.scrape;
