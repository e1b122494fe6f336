package io.cordwood.logblock.match;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Against the JDK's own decoder. */
class Utf8Test {
    @Test
    void everyCodePointIsWrittenAndReadAsTheJdkDoes() {
        byte[] bytes = new byte[4];
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                continue;
            }
            int length = Utf8.encode(c, bytes, 0);
            int decoded = Utf8.decode(bytes, 0, length);
            if (Utf8.codePoint(decoded) != c
                    || Utf8.length(decoded) != length
                    || Utf8.sequence(bytes, 0, length) != length
                    || !Arrays.equals(bytes, 0, length, Character.toString(c).getBytes(UTF_8), 0, length)) {
                assertThat(c).as("code point").isNull();
            }
        }
    }

    @Property(tries = 5000)
    void wellFormedIsWhatTheJdkDecodes(@ForAll("nearlyUtf8") byte[] bytes) {
        boolean valid;
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            valid = true;
        } catch (CharacterCodingException e) {
            valid = false;
        }
        assertThat(Utf8.isValid(bytes, 0, bytes.length)).isEqualTo(valid);
    }

    @Property(tries = 5000)
    void decodingRefusesWhatIsNoSequence(@ForAll("nearlyUtf8") byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            int sequence = Utf8.sequence(bytes, i, bytes.length);
            int decoded = Utf8.decode(bytes, i, bytes.length);
            assertThat(Utf8.length(decoded)).isEqualTo(Math.max(1, sequence));
            assertThat(Utf8.codePoint(decoded) == Utf8.REPLACEMENT && Utf8.length(decoded) == 1)
                    .isEqualTo(sequence == 0);
        }
    }

    /** Bytes at the bounds of what may stand where, so that a good share is well-formed. */
    @Provide
    Arbitrary<byte[]> nearlyUtf8() {
        byte[] lead = {
            'a', (byte) 0xC1, (byte) 0xC2, (byte) 0xE0, (byte) 0xED, (byte) 0xEF, (byte) 0xF0, (byte) 0xF4, (byte) 0xF5
        };
        byte[] next = {(byte) 0x80, (byte) 0x8F, (byte) 0x90, (byte) 0x9F, (byte) 0xA0, (byte) 0xBF};
        return Arbitraries.integers()
                .between(0, Integer.MAX_VALUE)
                .list()
                .ofMaxSize(12)
                .map(choices -> {
                    byte[] bytes = new byte[choices.size()];
                    for (int i = 0; i < bytes.length; i++) {
                        int choice = choices.get(i);
                        byte[] from = choice % 3 == 0 ? lead : next;
                        bytes[i] = from[choice / 3 % from.length];
                    }
                    return bytes;
                });
    }
}
