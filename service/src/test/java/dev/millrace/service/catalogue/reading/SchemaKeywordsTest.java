package dev.millrace.service.catalogue.reading;

import static dev.millrace.service.catalogue.reading.TestCatalogue.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.Resolution;
import dev.millrace.service.catalogue.Resolution.InputError;
import dev.millrace.service.catalogue.Resolution.Invalid;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaKeywordsTest {

  @ParameterizedTest(name = "{0} refuses {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {const: 1}                                     | 2             | must be 1
          {exclusiveMinimum: 1}                          | 1             | must be more than 1
          {exclusiveMaximum: 1}                          | 1             | must be less than 1
          {multipleOf: 8}                                | 9             | must be a multiple of 8
          {type: string, minLength: 2}                   | 'a'           | must have at least 2 characters
          {type: string, pattern: ^a}                    | 'b'           | must match the pattern ^a
          {type: string, format: uuid}                   | 'b'           | must be a valid uuid
          {type: [string, boolean]}                      | 1             | must be text or true or false, not a whole number
          {type: array, minItems: 1}                     | []            | must have at least 1 items
          {type: array, maxItems: 1}                     | [1, 2]        | must have at most 1 items
          {type: array, uniqueItems: true}               | [1, 1]        | must not have an item twice
          {type: array, items: {type: string}}           | [1]           | must be text, not a whole number
          {type: array, contains: {const: 1}}            | [2]           |
          {type: array, prefixItems: [{const: 1}]}       | [2]           | must be 1
          {type: object, minProperties: 1}               | {}            |
          {type: object, maxProperties: 0}               | {'a': 1}      |
          {type: object, properties: {a: false}}         | {'a': 1}      |
          {type: object, propertyNames: {maxLength: 1}}  | {'ab': 1}     |
          {type: object, dependentRequired: {a: [b]}}    | {'a': 1}      |
          {type: object, dependentSchemas: {a: false}}   | {'a': 1}      |
          {type: object, patternProperties: {^a: false}} | {'a': 1}      |
          {type: object, unevaluatedProperties: false}   | {'a': 1}      |
          {type: object, additionalProperties: {type: string}} | {'a': 1} | must be text, not a whole number
          {not: {type: string}}                          | 'a'           |
          {anyOf: [{type: string}, {type: boolean}]}     | 1             | must be text, not a whole number
          {oneOf: [{type: integer}, {minimum: 1}]}       | 1             |
          {allOf: [{type: string}, {maxLength: 1}]}      | 'ab'          | must have at most 1 characters
          {if: {const: 1}, then: false}                  | 1             |
          """)
  void every_keyword_refuses_in_words_and_never_breaks(
      String schema, String value, @Nullable String words) {
    Effect effect =
        TestCatalogue.effect(
            """
            workflow: w
            title: W
            executor: worker
            properties:
              p: %s
            effects:
              - {effect: e, title: E, credits_cost: 0}
            """
                .formatted(schema),
            "e");

    Resolution resolution = effect.resolve(json("{'p': " + value + "}"));

    assertThat(resolution).isInstanceOf(Invalid.class);
    List<InputError> errors = ((Invalid) resolution).errors();
    assertThat(errors).allMatch(error -> error.path().startsWith("/input/p"));
    assertThat(errors).noneMatch(error -> error.message().isBlank());
    if (words != null) {
      assertThat(errors).extracting(InputError::message).contains(words);
    }
  }
}
