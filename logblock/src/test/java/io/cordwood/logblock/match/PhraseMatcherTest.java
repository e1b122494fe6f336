package io.cordwood.logblock.match;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is searched as bytes is what would be found among the tokens. */
class PhraseMatcherTest {
    /**
     * Parts that make neighbours of every kind: either case, characters whose lower case is ASCII, malformed bytes.
     */
    private static final List<byte[]> PARTS = List.of(
            bytes("ki"),
            bytes("KI"),
            bytes("k"),
            bytes("i"),
            bytes("a"),
            bytes("A1"),
            bytes("aa"),
            bytes(" "),
            bytes("-"),
            bytes("_ "),
            bytes("\u212A"),
            bytes("\u0130"),
            bytes("é"),
            bytes("北"),
            bytes("…"),
            bytes("\0"),
            new byte[] {(byte) 0xE2},
            new byte[] {(byte) 0x84, (byte) 0xAA});

    @Property(tries = 20_000)
    void findsWhatTheTokensSay(@ForAll("values") byte[] value, @ForAll("queries") String query) {
        MatchNode root = MatchQuery.parse(query).root();
        assertThat(root).isInstanceOf(MatchNode.Phrase.class);
        MatchNode.Phrase phrase = (MatchNode.Phrase) root;
        byte[] embedded = new byte[value.length + 4];
        System.arraycopy(value, 0, embedded, 2, value.length);
        assertThat(PhraseMatcher.of(phrase).matches(embedded, 2, 2 + value.length))
                .as("%s in %s", query, new String(value, UTF_8))
                .isEqualTo(new TextMatcher(phrase).matches(embedded, 2, 2 + value.length));
    }

    @Provide
    Arbitrary<byte[]> values() {
        return Arbitraries.of(PARTS).list().ofMaxSize(12).map(PhraseMatcherTest::join);
    }

    @Provide
    Arbitrary<String> queries() {
        Arbitrary<String> token = Arbitraries.of("ki", "k", "a", "aa", "a1", "kiki", "aki", "1");
        return token.list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .flatMap(tokens -> Arbitraries.of("", "*").map(end -> '"' + String.join(" ", tokens) + end + '"'));
    }

    private static byte[] join(List<byte[]> parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        parts.forEach(out::writeBytes);
        return out.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
