package io.cordwood.logblock.match;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenizerTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /api/v1/users?id=10 HTTP/1.1|get api v1 users id 10 http 1 1",
                "user_id=Größe|user id größe",
                "北京 timeout|北 京 timeout",
                "foo北bar|foo 北 bar",
                "İstanbul ŞİŞE|istanbul şişe",
                "ΑΣ ς|ασ ς",
                "e\u0301te\u0301|e\u0301te\u0301",
                "१२३ ٤٥|१२३ ٤٥",
                "½ ² Ⅷ ①|''",
                "\uD83D\uDE00smile\uD83D\uDE00|smile",
                "\uD801\uDC00|\uD801\uDC28",
            })
    void cutsAsTheContractSays(String text, String tokens) {
        assertThat(tokens(text.getBytes(UTF_8)))
                .isEqualTo(tokens.isEmpty() ? List.of() : List.of(tokens.split(" ", -1)));
    }

    @Test
    void greekCapitalSigmaIsLoweredByCodePointNotByContext() {
        assertThat(tokens("ΟΔΟΣ".getBytes(UTF_8))).containsExactly("οδοσ");
    }

    @Test
    void firstCodePointsOfALongTokenCount() {
        assertThat(tokens(("ß".repeat(300) + " next").getBytes(UTF_8))).containsExactly("ß".repeat(256), "next");
    }

    @Test
    void firstCharactersOfALongAsciiTokenCount() {
        for (int length : new int[] {255, 256, 257, 1100}) {
            assertThat(tokens(("A".repeat(length) + " next").getBytes(UTF_8)))
                    .containsExactly("a".repeat(Math.min(length, 256)), "next");
        }
        assertThat(tokens(("a".repeat(200) + "ß".repeat(100) + ".b").getBytes(UTF_8)))
                .containsExactly("a".repeat(200) + "ß".repeat(56), "b");
        assertThat(tokens(("a".repeat(256) + "ß北").getBytes(UTF_8))).containsExactly("a".repeat(256), "北");
    }

    @Test
    void nothingBeyondTheTextIsLookedAt() {
        Tokenizer tokenizer = new Tokenizer().reset("ab cdef".getBytes(UTF_8), 1, 5);
        assertThat(tokenizer.next()).isTrue();
        assertThat(tokenizer.copy()).asString(UTF_8).isEqualTo("b");
        assertThat(tokenizer.next()).isTrue();
        assertThat(tokenizer.copy()).asString(UTF_8).isEqualTo("cd");
        assertThat(tokenizer.next()).isFalse();
    }

    @Test
    void malformedBytesSeparate() {
        byte[] bytes = {'a', (byte) 0xFF, 'b', (byte) 0xC3, 'c', (byte) 0xED, (byte) 0xA0, (byte) 0x80, 'd', (byte) 0xE5
        };
        assertThat(tokens(bytes)).containsExactly("a", "b", "c", "d");
    }

    /** The definition, written down a second time over code points. */
    @Property(tries = 2000)
    void equalsTheDefinition(@ForAll String text) {
        // A lone surrogate has no UTF-8; what the encoder writes for it is a separator either way.
        String clean = new String(text.getBytes(UTF_8), UTF_8);
        List<String> expected = new ArrayList<>();
        StringBuilder run = new StringBuilder();
        clean.codePoints().forEach(c -> {
            boolean han = Character.isDefined(c) && Character.UnicodeScript.of(c) == Character.UnicodeScript.HAN;
            if (han || !isTokenCharacter(c)) {
                flush(run, expected);
            }
            if (han) {
                expected.add(Character.toString(Character.toLowerCase(c)));
            } else if (isTokenCharacter(c)) {
                run.appendCodePoint(Character.toLowerCase(c));
            }
        });
        flush(run, expected);
        assertThat(tokens(clean.getBytes(UTF_8))).isEqualTo(expected);
    }

    private static void flush(StringBuilder run, List<String> tokens) {
        if (!run.isEmpty()) {
            int end = run.offsetByCodePoints(0, Math.min(256, run.codePointCount(0, run.length())));
            tokens.add(run.substring(0, end));
            run.setLength(0);
        }
    }

    private static boolean isTokenCharacter(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.DECIMAL_DIGIT_NUMBER -> true;
            default -> Character.isLetter(c);
        };
    }

    static List<String> tokens(byte[] utf8) {
        List<String> tokens = new ArrayList<>();
        Tokenizer tokenizer = new Tokenizer().reset(utf8, 0, utf8.length);
        while (tokenizer.next()) {
            tokens.add(new String(tokenizer.copy(), UTF_8));
        }
        return tokens;
    }
}
