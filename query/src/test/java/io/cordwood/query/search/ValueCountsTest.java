package io.cordwood.query.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ValueCountsTest {
    private static StringVector values(String... values) {
        return StringVector.of(values);
    }

    @Test
    void theMostFrequentValuesComeFirstAndEqualOnesInTheirOrder() {
        ValueCounts counts = new ValueCounts(ColumnType.VARCHAR);
        counts.add(values("b", "a", null, "c", "c", "b", null), 0, 7);
        assertThat(counts.most(2))
                .containsExactly(new ValueCount(Optional.of("b"), 2), new ValueCount(Optional.of("c"), 2));
        assertThat(counts.nulls()).isEqualTo(2);
        assertThat(counts.values()).isEqualTo(3);
        assertThat(counts.isApproximate()).isFalse();
    }

    /** As in SQL, where they are equal. */
    @Test
    void bothZerosAreOneValue() {
        ValueCounts counts = new ValueCounts(ColumnType.DOUBLE);
        counts.add(new DoubleVector(new double[] {-0.0, 0.0, -0.0, -1.5}, 4, new NullMask(4)), 0, 4);
        assertThat(counts.most(9))
                .containsExactly(new ValueCount(Optional.of("0.0"), 3), new ValueCount(Optional.of("-1.5"), 1));
    }

    @Test
    void aPartIsCounted() {
        ValueCounts counts = new ValueCounts(ColumnType.VARCHAR);
        counts.add(values("a", "b", "b", "a"), 1, 3);
        assertThat(counts.most(9)).containsExactly(new ValueCount(Optional.of("b"), 2));
    }

    private static StringVector byIds(StringVector dictionary, int... ids) {
        NullMask nulls = new NullMask(ids.length);
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] < 0) {
                nulls.set(i);
                ids[i] = 0;
            }
        }
        return new StringVector(dictionary.bytes(), dictionary.offsets(), ids, ids.length, nulls);
    }

    @Test
    void vectorsOfOneDictionaryAndOfOthersAddUp() {
        StringVector first = values("a", "b", "c", "never");
        StringVector second = values("c", "a");
        ValueCounts counts = new ValueCounts(ColumnType.VARCHAR);
        counts.add(byIds(first, 0, 1, -1, 1), 0, 4);
        counts.add(byIds(first, 2, 1, 0), 1, 3);
        counts.add(byIds(second, 0, 0, 1, -1), 0, 4);
        counts.add(values("b"), 0, 1);
        assertThat(counts.most(9))
                .containsExactly(
                        new ValueCount(Optional.of("b"), 4),
                        new ValueCount(Optional.of("a"), 3),
                        new ValueCount(Optional.of("c"), 2));
        assertThat(counts.nulls()).isEqualTo(2);
        ValueCounts total = new ValueCounts(ColumnType.VARCHAR);
        ValueCounts part = new ValueCounts(ColumnType.VARCHAR);
        part.add(byIds(second, 1, 1), 0, 2);
        total.add(part);
        assertThat(total.most(9)).containsExactly(new ValueCount(Optional.of("a"), 2));
    }

    /** Its ids would take more memory than its rows. */
    @Test
    void aDictionaryMuchLargerThanTheRowsIsNotCountedById() {
        String[] many = new String[1000];
        for (int i = 0; i < many.length; i++) {
            many[i] = "v" + i;
        }
        ValueCounts counts = new ValueCounts(ColumnType.VARCHAR);
        counts.add(byIds(values(many), 7, 7, 999), 0, 3);
        assertThat(counts.most(1)).containsExactly(new ValueCount(Optional.of("v7"), 2));
        assertThat(counts.values()).isEqualTo(2);
    }

    @Test
    void beyondTheBoundTheRarestGo() {
        ValueCounts counts = new ValueCounts(ColumnType.VARCHAR, 4, 1 << 20);
        counts.add(values("often", "often", "often", "a", "b", "c", "d", "e"), 0, 8);
        assertThat(counts.isApproximate()).isTrue();
        assertThat(counts.values()).isLessThanOrEqualTo(4);
        assertThat(counts.most(1)).containsExactly(new ValueCount(Optional.of("often"), 3));
    }

    @Test
    void longValuesAreBoundedByTheirBytes() {
        ValueCounts counts = new ValueCounts(ColumnType.VARCHAR, 1000, 4000);
        for (int i = 0; i < 50; i++) {
            counts.add(values(i + "x".repeat(500)), 0, 1);
        }
        assertThat(counts.isApproximate()).isTrue();
        assertThat(counts.values()).isLessThanOrEqualTo(3);
    }

    @Test
    void countsAddUp() {
        ValueCounts first = new ValueCounts(ColumnType.VARCHAR);
        first.add(values("a", null), 0, 2);
        ValueCounts second = new ValueCounts(ColumnType.VARCHAR);
        second.add(values("a", "b"), 0, 2);
        first.add(second);
        assertThat(first.most(9))
                .containsExactly(new ValueCount(Optional.of("a"), 2), new ValueCount(Optional.of("b"), 1));
        assertThat(first.nulls()).isEqualTo(1);
    }
}
