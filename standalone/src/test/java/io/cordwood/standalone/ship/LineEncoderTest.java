package io.cordwood.standalone.ship;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LineEncoderTest {
    private final LineEncoder encoder = new LineEncoder();

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"a\":1}", "  {\"a\":{\"b\":[1,{}]}} ", "{\"a\":\"}\"}"})
    void objectIsSentAsItIs(String line) {
        assertThat(encoded(line)).isEqualTo(line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "\"text\"",
                "12",
                "[1]",
                "{\"a\":1} trailing",
                "{\"a\":1",
                "{a:1}",
                "{\"a\":1}{\"b\":2}",
                "quote \" backslash \\ tab \t bell \u0007 漢字 \uD83D\uDE00"
            })
    void anythingElseBecomesAMessage(String line) throws Exception {
        assertThat(new ObjectMapper().readTree(encoded(line)).path("message").textValue())
                .isEqualTo(line);
    }

    @Test
    void bytesThatAreNotTextAreReplaced() throws Exception {
        byte[] value = encoder.value(new byte[] {'a', (byte) 0xFF, 'b'});
        assertThat(new ObjectMapper().readTree(value).path("message").textValue())
                .isEqualTo("a\uFFFDb");
    }

    private String encoded(String line) {
        return new String(encoder.value(line.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }
}
