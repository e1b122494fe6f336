package io.cordwood.query.pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters of known forms become placeholders; all else stays, but for white space. */
class MaskerTest {
    private final Masker masker = new Masker();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    took 15 ms                                | took <num> ms
                    took 15ms, 3.25s, -4 and +7.5e-3          | took <num>ms, <num>s, <num> and <num>
                    1.5E10 1e5x version 1.2.3                 | <num> <num>e<num>x version <num>
                    a-5 2-3 (1)-2                             | a-<num> <num>-<num> (<num>)-<num>
                    node23 blk_-6952295868487656571           | node<num> blk_<num>
                    0x1f 0XDEADBEEF 0x                        | <hex> <hex> <num>x
                    id 04c87ec97bae041b1b15b3c7676a43cc       | id <hex>
                    a64f992 feedface decade a1                | <hex> feedface decade a<num>
                    9SIQT8TOJO v2beta1 u0a12                  | <*> v<num>beta<num> u<num>a<num>
                    6f9619ff-8b86-d011-b42d-00cf4fc964ff done | <uuid> done
                    6f9619ff-8b86-d011-b42d-00cf4fc964f done  | <hex>-<num>b<num>-d<num>-b<num>d-<hex> done
                    from 10.0.7.255 to 10.0.7.1:8080          | from <ip> to <ip>:<num>
                    1.2.3.4.5 1.2.3.4444                      | <num> <num>
                    fe80::1ff:fe23:4567:890a up               | <ip> up
                    2001:db8:0:0:1:0:0:1 00:1b:44:11:3a:b7    | <ip> <ip>
                    abcd: dead-end add:ed                     | abcd: dead-end add:ed
                    2026-01-10T12:00:41.123456Z x             | <time> x
                    2026-01-10 12:00:41,123 +01:00 x          | <time> x
                    2026/01/10 x 2026-01-10T12 1-2-3          | <time> x <time>T<num> <num>-<num>-<num>
                    [10/Oct/2026:13:55:36 -0700]              | [<time>]
                    at 12:00:41 or 7:05:00.5 not 12:00        | at <time> or <time> not <num>:<num>
                    Sat Jun 11 03:28:22 2005 Jul 9 22:53:19 x | <time> <time> x
                    Mon 11 May be                             | Mon <num> May be
                    größe 5 日本 7                            | größe <num> 日本 <num>
                    key=value,"x":true                        | key=value,"x":true
                    """)
    void forms(String line, String expected) {
        assertThat(shown(line.getBytes(UTF_8))).isEqualTo(expected);
    }

    @Test
    void whiteSpaceAndControlCharactersAreOneSpace() {
        assertThat(shown(" \ta\u0000\u0007b \r\n c\u007f".getBytes(UTF_8))).isEqualTo("a b c");
        assertThat(shown(new byte[0])).isEmpty();
        assertThat(shown("\n \u0001".getBytes(UTF_8))).isEmpty();
    }

    @Test
    void aLongLineEndsWithItsRest() {
        assertThat(shown("x".repeat(Masker.MAX_LINE_BYTES).getBytes(UTF_8)))
                .isEqualTo("x".repeat(Masker.MAX_LINE_BYTES));
        assertThat(shown("x".repeat(1 << 20).getBytes(UTF_8))).isEqualTo("x".repeat(Masker.MAX_LINE_BYTES) + " <...>");
        assertThat(shown("w ".repeat(100_000).getBytes(UTF_8))).isEqualTo("w ".repeat(Masker.MAX_WORDS) + "<...>");
        assertThat(shown("w ".repeat(Masker.MAX_WORDS).getBytes(UTF_8)))
                .isEqualTo("w ".repeat(Masker.MAX_WORDS).strip());
    }

    @Test
    void bytesThatAreNoUtf8AreNoPlaceholders() {
        byte[] line = {'a', ' ', (byte) 0xF8, (byte) 0xFF, ' ', (byte) 0xC3, ' ', 'b'};
        assertThat(shown(line)).isEqualTo("a ?? \uFFFD b");
    }

    @Property(tries = 2000)
    void anyBytesHaveASignatureNoLongerThanTheyAre(@ForAll byte[] line) {
        masker.mask(line, 0, line.length);
        assertThat(masker.length()).isLessThanOrEqualTo(Math.min(line.length, Masker.MAX_LINE_BYTES) + 2);
        byte[] signature = new String(masker.signature(), 0, masker.length(), ISO_8859_1).getBytes(ISO_8859_1);
        assertThat(signature).doesNotContain(0xFF);
        TokenSequence tokens = TokenSequence.of(signature);
        assertThat(tokens.layout().chars().filter(c -> c == TokenSequence.TOKEN))
                .hasSameSizeAs(tokens.tokens());
    }

    private String shown(byte[] line) {
        masker.mask(line, 0, line.length);
        return TokenSequence.shown(new String(masker.signature(), 0, masker.length(), ISO_8859_1));
    }
}
