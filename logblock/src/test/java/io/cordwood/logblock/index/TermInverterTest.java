package io.cordwood.logblock.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.encoding.XxHash64;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TermInverterTest {
    private final TermInverter terms = new TermInverter();

    /** Of all lengths, so that many begin alike, at the end of their array and in the midst of one. */
    @Test
    void tellsTermsApartAndKnowsTheirRows() {
        Random random = new Random(1);
        Map<String, TreeSet<Integer>> expected = new LinkedHashMap<>();
        int rows = 20_000;
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < 4; i++) {
                String text = "abababababababababab".substring(random.nextInt(2), random.nextInt(2, 20))
                        + Integer.toString(random.nextInt(1 << random.nextInt(1, 16)), 36)
                                .repeat(random.nextInt(2));
                expected.computeIfAbsent(text, unknown -> new TreeSet<>()).add(row);
                terms.add(random.nextBoolean() ? term(text, 0) : term(text, 16), row);
            }
        }

        assertThat(terms.termCount()).isEqualTo(expected.size()).isGreaterThan(5000);
        TermInverter.Postings postings = terms.postings();
        int number = 0;
        for (Map.Entry<String, TreeSet<Integer>> entry : expected.entrySet()) {
            byte[] bytes = entry.getKey().getBytes(UTF_8);
            int start = terms.start(number);
            assertThat(Arrays.copyOfRange(terms.arena(), start, terms.end(number)))
                    .isEqualTo(bytes);
            assertThat(terms.fingerprint(number)).isEqualTo((int) XxHash64.hash(bytes, 0, bytes.length));
            assertThat(terms.rowCount(number)).isEqualTo(entry.getValue().size());
            assertThat(Arrays.copyOfRange(postings.rows(), postings.ends()[number], postings.ends()[number + 1]))
                    .containsExactly(entry.getValue().stream()
                            .mapToInt(Integer::intValue)
                            .toArray());
            number++;
        }
    }

    @Test
    void whatFollowsATermIsNotOfIt() {
        byte[] one = "timeout after".getBytes(UTF_8);
        byte[] other = "time: 7 o'clock".getBytes(UTF_8);

        assertThat(terms.term(one, 0, 4)).isEqualTo(terms.term(other, 0, 4));
        assertThat(terms.term(one, 0, 5)).isNotEqualTo(terms.term(other, 0, 5));
        assertThat(terms.term(one, 0, 0)).isEqualTo(terms.term(other, other.length, 0));
        assertThat(terms.termCount()).isEqualTo(4);
    }

    /** A word is read from the start of each. */
    @Test
    void shortTermsMayEndTheMemoryOfTerms() {
        int longOne = terms.term(new byte[4093], 0, 4093);
        int shortOne = term("abc", 8);

        assertThat(term("abc", 8)).isEqualTo(shortOne).isNotEqualTo(longOne);
    }

    /** @param after how many other bytes follow */
    private int term(String text, int after) {
        byte[] bytes = (text + "x".repeat(after)).getBytes(UTF_8);
        return terms.term(bytes, 0, bytes.length - after);
    }
}
