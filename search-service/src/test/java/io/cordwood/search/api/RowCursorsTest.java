package io.cordwood.search.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.vector.StringVector;
import io.cordwood.query.search.PageStart;
import io.cordwood.query.search.RowPosition;
import io.cordwood.search.http.ApiException;
import java.util.List;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RowCursorsTest {
    private static final Optional<SecretKey> KEY = Optional.of(key((byte) 1));

    private static SecretKey key(byte seed) {
        byte[] bytes = new byte[16];
        bytes[0] = seed;
        return new SecretKeySpec(bytes, "AES");
    }

    @Property
    void aPositionIsReadAsItWasWritten(
            @ForAll long micros,
            @ForAll @LongRange(min = -1, max = 100_000) long partition,
            @ForAll @LongRange(min = -1) long offset,
            @ForAll @LongRange(min = -1, max = 8_000_000) long ordinal,
            @ForAll @IntRange(max = 0xFFFF) int topic,
            @ForAll boolean encrypted) {
        RowPosition position = new RowPosition(micros, partition, offset, ordinal, topic);
        RowCursors cursors = new RowCursors(encrypted ? KEY : Optional.empty());
        assertThat(cursors.decode("row", text(cursors, position))).isEqualTo(position);
        PageStart start = PageStart.after(position, 7);
        assertThat(cursors.decodePage("after", cursors.encode(start))).isEqualTo(start);
    }

    @Property
    void theTextsOfManyAreReadAsTheyWereWritten(
            @ForAll @Size(max = 20) List<@LongRange(min = -1, max = 1000) Long> numbers, @ForAll boolean encrypted) {
        RowCursors cursors = new RowCursors(encrypted ? KEY : Optional.empty());
        List<RowPosition> positions = numbers.stream()
                .map(number -> new RowPosition(number * 31, number, number * 7, number, (int) (number & 0xFF)))
                .toList();
        StringVector texts = cursors.encode(positions);
        assertThat(texts.length()).isEqualTo(positions.size());
        for (int i = 0; i < texts.length(); i++) {
            assertThat(cursors.decode("row", texts.string(i))).isEqualTo(positions.get(i));
        }
    }

    /** Clients keep cursors, so their layout stays. */
    @Test
    void theTextsOfPositionsStay() {
        StringVector open = new RowCursors(Optional.empty())
                .encode(List.of(new RowPosition(1, 2, 3, 4, 5), new RowPosition(6, 7, 8, -1, 9)));
        assertThat(open.string(0)).isEqualTo("AAAAAAAAAAEAAAAAAAAAAwAAAgAABAAF");
        assertThat(open.string(1)).isEqualTo("AAAAAAAAAAYAAAAAAAAACAAAB____wAJ");
        assertThat(text(new RowCursors(KEY), new RowPosition(1, 2, 3, 4, 5))).hasSize(32);
    }

    private static String text(RowCursors cursors, RowPosition position) {
        return cursors.encode(List.of(position)).string(0);
    }

    @Test
    void anotherServiceWithTheSameSecretReadsIt() {
        RowPosition position = new RowPosition(1, 2, 3, 4, 5);
        String text = text(new RowCursors(KEY), position);
        assertThat(new RowCursors(KEY).decode("row", text)).isEqualTo(position);
        assertThat(new RowCursors(Optional.of(key((byte) 2))).decode("row", text))
                .isNotEqualTo(position);
    }

    @Test
    void withASecretNeighbouringRowsHaveNothingInCommonButTheirTime() {
        RowCursors cursors = new RowCursors(KEY);
        String first = text(cursors, new RowPosition(1, 0, 1000, 0, 0));
        String second = text(cursors, new RowPosition(1, 0, 1001, 0, 0));
        // 8 bytes of time are 10 characters and a bit
        assertThat(first.substring(0, 10)).isEqualTo(second.substring(0, 10));
        assertThat(first.substring(11)).isNotEqualTo(second.substring(11));
        assertThat(commonCharacters(first.substring(11), second.substring(11))).isLessThan(8);
    }

    private static int commonCharacters(String first, String second) {
        int common = 0;
        for (int i = 0; i < first.length(); i++) {
            common += first.charAt(i) == second.charAt(i) ? 1 : 0;
        }
        return common;
    }

    @Test
    void aForgedNumberOfTiesIsBounded() {
        RowCursors cursors = new RowCursors(KEY);
        String text = cursors.encode(PageStart.after(new RowPosition(1, 2, 3, 4, 5), Integer.MAX_VALUE));
        assertThat(cursors.decodePage("after", text).ties()).isEqualTo(SearchRequest.MAX_LIMIT);
        String negative = cursors.encode(PageStart.after(new RowPosition(1, 2, 3, 4, 5), -5));
        assertThat(cursors.decodePage("after", negative).ties()).isEqualTo(1);
    }

    @Test
    void whatIsNoCursorIsRefused() {
        for (String text : new String[] {"", "x", "!!!!", "AAAA", "A".repeat(100)}) {
            assertThatThrownBy(() -> new RowCursors(KEY).decode("row", text))
                    .isInstanceOf(ApiException.class)
                    .hasMessage("'row' is no cursor: send one that an answer gave");
        }
    }
}
