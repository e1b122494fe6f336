package io.cordwood.query.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RowSourceTest {
    private static final String[] TOPICS = {null, "a", "a", null, "a", "b", "b", "a", "", null, ""};

    private static int[] expected() {
        return Arrays.stream(TOPICS)
                .mapToInt(topic -> topic == null ? 0 : topic.hashCode() & 0xFFFF)
                .toArray();
    }

    @Test
    void topicsThatFollowOneAnotherHaveTheirOwnHashes() {
        assertThat(RowSource.hashes(StringVector.of(TOPICS))).isEqualTo(expected());
    }

    @Test
    void soHaveThoseOfADictionary() {
        StringVector dictionary = StringVector.of("", "a", "b");
        int[] ids = new int[TOPICS.length];
        NullMask nulls = new NullMask(TOPICS.length);
        for (int i = 0; i < TOPICS.length; i++) {
            if (TOPICS[i] == null) {
                nulls.set(i);
            } else {
                ids[i] = TOPICS[i].isEmpty() ? 0 : TOPICS[i].charAt(0) - 'a' + 1;
            }
        }
        assertThat(RowSource.hashes(
                        new StringVector(dictionary.bytes(), dictionary.offsets(), ids, TOPICS.length, nulls)))
                .isEqualTo(expected());
    }
}
