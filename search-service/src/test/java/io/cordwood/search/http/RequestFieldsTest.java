package io.cordwood.search.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RequestFieldsTest {
    private static RequestFields parse(String json) {
        return RequestFields.parse(json.getBytes(UTF_8));
    }

    @Test
    void fieldsHaveTypes() {
        RequestFields fields = parse("{\"a\":\"x\",\"n\":7,\"l\":[\"p\",\"q\"],\"none\":null,\"t\":1700000000000000}");
        assertThat(fields.text("a")).contains("x");
        assertThat(fields.integer("n", 1, 10)).contains(7);
        assertThat(fields.texts("l").orElseThrow()).containsExactly("p", "q");
        assertThat(fields.text("none")).isEmpty();
        assertThat(fields.text("missing")).isEmpty();
        assertThat(fields.textOrNumber("t")).contains("1700000000000000");
        fields.requireNoOthers();
    }

    @Test
    void anEmptyBodyHasNoFields() {
        RequestFields fields = parse("");
        assertThat(fields.text("a")).isEmpty();
        fields.requireNoOthers();
    }

    @Test
    void errorsNameTheField() {
        assertInvalid(() -> parse("{\"a\":1}").text("a"), "'a' must be a string");
        assertInvalid(() -> parse("{\"n\":11}").integer("n", 1, 10), "'n' must be a whole number from 1 to 10");
        assertInvalid(() -> parse("{\"n\":1.5}").integer("n", 1, 10), "'n' must be a whole number from 1 to 10");
        assertInvalid(
                () -> parse("{\"n\":99999999999}").integer("n", 1, 10), "'n' must be a whole number from 1 to 10");
        assertInvalid(() -> parse("{\"l\":\"x\"}").texts("l"), "'l' must be an array of strings");
        assertInvalid(() -> parse("{\"l\":[1]}").texts("l"), "'l' must be an array of strings");
        assertInvalid(() -> parse("[]"), "The body must be a JSON object");
        assertInvalid(() -> parse("{\"a\""), "The body is not JSON");
        assertInvalid(() -> parse("{} {}"), "The body is not JSON");
        assertInvalid(
                () -> {
                    RequestFields fields = parse("{\"qery\":\"x\"}");
                    fields.text("query");
                    fields.requireNoOthers();
                },
                "There is no field 'qery'; fields are: query");
    }

    @Test
    void deepJsonIsRefused() {
        assertInvalid(() -> parse("{\"a\":" + "[".repeat(20_000)), "The body is not JSON");
    }

    private static void assertInvalid(Runnable reading, String message) {
        assertThatThrownBy(reading::run).isInstanceOf(ApiException.class).hasMessageContaining(message);
    }
}
