package io.cordwood.standalone.ship;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

final class LineReaderTest {
    @Test
    void splitsAtEitherEnd() {
        assertThat(lines("a\nb\r\n\nlast", 100)).containsExactly("a", "b", "", "last");
        assertThat(lines("a\n", 100)).containsExactly("a");
        assertThat(lines("", 100)).isEmpty();
        assertThat(lines("\n", 100)).containsExactly("");
    }

    @Test
    void takesLinesLongerThanItsBuffer() {
        String text = "x".repeat(1_000_000);
        assertThat(lines("short\n" + text + "\nend", 70_000)).containsExactly("short", text, "end");
    }

    @Test
    void takesTheLongestLineThatARecordCanHold() {
        String text = "x".repeat(LineReader.LONGEST_LINE_BYTES);
        assertThat(lines("short\n" + text + "\r\nend", 1 << 20)).containsExactly("short", text, "end");
    }

    @Test
    void stopsAtALineWithoutEnd() throws IOException {
        LineReader reader = new LineReader(new SequenceInputStream(
                new ByteArrayInputStream("short\n".getBytes(StandardCharsets.UTF_8)), new Zeros()));
        assertThat(reader.next()).isPresent();
        assertThatThrownBy(reader::next)
                .isInstanceOf(LineReader.LineTooLongException.class)
                .hasMessage("more than the 16 MB a record can hold");
    }

    /** Whoever batches lines must not wait for one that is not there yet. */
    @Test
    void saysWhetherTheNextLineIsAtHand() throws IOException {
        LineReader reader = new LineReader(new SequenceInputStream(
                new ByteArrayInputStream("a\nb\nc".getBytes(StandardCharsets.UTF_8)),
                new ByteArrayInputStream("d\n".getBytes(StandardCharsets.UTF_8))));
        assertThat(reader.hasNextAtHand()).isFalse();
        assertThat(reader.next()).isPresent();
        assertThat(reader.hasNextAtHand()).isTrue();
        assertThat(reader.next()).isPresent();
        assertThat(reader.hasNextAtHand()).isFalse();
        assertThat(reader.next())
                .hasValueSatisfying(line -> assertThat(line).asString().isEqualTo("cd"));
        assertThat(reader.hasNextAtHand()).isFalse();
        assertThat(reader.next()).isEmpty();
    }

    /** As /dev/zero. */
    private static final class Zeros extends InputStream {
        @Override
        public int read() {
            return 0;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            Arrays.fill(target, offset, offset + length, (byte) 0);
            return length;
        }
    }

    @Property
    void givesTheLinesThatTheTextHas(
            @ForAll @StringLength(max = 200) @CharRange(from = 'a', to = 'c') String letters,
            @ForAll @IntRange(min = 1, max = 7) int readAtMost) {
        String text = letters.replace('b', '\n');
        assertThat(lines(text, readAtMost))
                .containsExactlyElementsOf(text.lines().toList());
    }

    private static List<String> lines(String text, int readAtMost) {
        InputStream input = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(length, readAtMost));
            }
        };
        LineReader reader = new LineReader(input);
        List<String> lines = new ArrayList<>();
        try {
            for (Optional<byte[]> line = reader.next(); line.isPresent(); line = reader.next()) {
                lines.add(new String(line.get(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }
}
