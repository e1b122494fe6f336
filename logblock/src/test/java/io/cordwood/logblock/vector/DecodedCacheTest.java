package io.cordwood.logblock.vector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DecodedCacheTest {
    private static final int FIELD = 7;
    /** Of a thousand numbers. */
    private static final Vector VALUES = new LongVector(new long[1000], 1000, NullMask.none());

    private static final int PAGES = 10;
    private static final long BYTES = PAGES * (Vectors.retainedBytes(VALUES) + DecodedCache.ENTRY_BYTES);

    private final DecodedCache cache = new DecodedCache(BYTES);
    private final DecodedCache.OfFile file = cache.open();

    /** Whether a page is there; offers it if it is not. */
    private boolean ask(DecodedCache.OfFile of, int page) {
        boolean found = of.find(FIELD, page, 1).isPresent();
        if (!found) {
            of.offer(FIELD, page, VALUES);
        }
        return found;
    }

    @Test
    void givesWhatWasOffered() {
        assertThat(file.find(FIELD, 0, 1)).isEmpty();
        assertThat(file.offer(FIELD, 0, VALUES)).isTrue();
        assertThat(file.find(FIELD, 0, 1)).containsSame(VALUES);
        assertThat(file.offer(FIELD, 0, VALUES)).isFalse();
        assertThat(file.find(FIELD + 1, 0, 1)).isEmpty();
        assertThat(cache.open().find(FIELD, 0, 1)).isEmpty();
        assertThat(cache.counts()).isEqualTo(new DecodedCache.Counts(1, 3, 0));
    }

    @Test
    void moreRowsReplaceFewer() {
        Vector first = new LongVector(new long[400], 400, NullMask.none());
        assertThat(file.offer(FIELD, 0, first)).isTrue();
        assertThat(file.find(FIELD, 0, 400)).containsSame(first);
        assertThat(file.find(FIELD, 0, 401)).containsSame(first);
        assertThat(cache.counts()).isEqualTo(new DecodedCache.Counts(1, 1, 0));
        assertThat(file.offer(FIELD, 0, VALUES)).isTrue();
        assertThat(file.find(FIELD, 0, 400)).containsSame(VALUES);
        assertThat(file.offer(FIELD, 0, first)).isFalse();
        assertThat(cache.retainedBytes()).isEqualTo(Vectors.retainedBytes(VALUES) + DecodedCache.ENTRY_BYTES);
        file.close();
        assertThat(cache.retainedBytes()).isZero();
    }

    @Test
    void fewerRowsStayIfMoreDoNotFit() {
        Vector first = new LongVector(new long[400], 400, NullMask.none());
        assertThat(file.offer(FIELD, 0, first)).isTrue();
        Vector large = new LongVector(new long[PAGES * 1100], PAGES * 1100, NullMask.none());
        assertThat(file.offer(FIELD, 0, large)).isFalse();
        assertThat(file.find(FIELD, 0, 400)).containsSame(first);
        assertThat(cache.counts().evictions()).isZero();
    }

    @Test
    void holdsNoMoreThanItsBytes() {
        for (int page = 0; page < 5 * PAGES; page++) {
            for (int times = 0; times < 1 + page % 3; times++) {
                ask(file, page);
            }
            assertThat(cache.retainedBytes()).isLessThanOrEqualTo(BYTES);
        }
        assertThat(cache.retainedBytes()).isEqualTo(BYTES);
        Vector large = new LongVector(new long[PAGES * 1100], PAGES * 1100, NullMask.none());
        assertThat(file.offer(FIELD, 1000, large)).isFalse();
        assertThat(DecodedCache.NONE.open().offer(FIELD, 0, VALUES)).isFalse();
    }

    @Test
    void aFileThatIsClosedLeavesNothing() {
        DecodedCache.OfFile other = cache.open();
        for (int page = 0; page < PAGES / 2; page++) {
            ask(file, page);
            ask(other, page);
        }
        file.close();
        assertThat(cache.retainedBytes()).isEqualTo(BYTES / 2);
        assertThat(file.find(FIELD, 0, 1)).isEmpty();
        assertThat(file.offer(FIELD, 0, VALUES)).isFalse();
        assertThat(cache.retainedBytes()).isEqualTo(BYTES / 2);
        assertThat(other.find(FIELD, 0, 1)).isPresent();
        for (int page = PAGES / 2; page < PAGES; page++) {
            assertThat(other.offer(FIELD, page, VALUES)).isTrue();
        }
        other.close();
        assertThat(cache.retainedBytes()).isZero();
    }

    @Test
    void copiesWhatLiesInAMuchLargerArray() {
        byte[] buffer = Arrays.copyOf("..onetwo".getBytes(UTF_8), 1000);
        Vector text = StringVector.plain(buffer, new int[] {2, 5, 8}, 2, NullMask.none());
        assertThat(file.offer(FIELD, 0, text)).isFalse();
        Arrays.fill(buffer, (byte) 0);
        StringVector found = (StringVector) file.find(FIELD, 0, 1).orElseThrow();
        assertThat(found.string(0)).isEqualTo("one");
        assertThat(found.string(1)).isEqualTo("two");
        assertThat(cache.retainedBytes()).isLessThan(DecodedCache.ENTRY_BYTES + 100);
    }

    @Test
    void eachColumnBlockHasAHashOfItsOwn() {
        Set<Long> hashes = new HashSet<>();
        int count = 0;
        for (int of = 1; of <= 20; of++) {
            for (int field = 1; field <= 50; field++) {
                for (int page = 0; page < 100; page++, count++) {
                    hashes.add(DecodedCache.spread(of, field, page));
                }
            }
        }
        assertThat(hashes).hasSize(count);
    }

    @Test
    void aScanDoesNotDriveOutWhatIsAskedForOften() {
        for (int round = 0; round < 3; round++) {
            IntStream.range(0, PAGES).forEach(page -> ask(file, page));
        }
        DecodedCache.OfFile scanned = cache.open();
        IntStream.range(0, 10 * PAGES).forEach(page -> ask(scanned, page));
        assertThat(IntStream.range(0, PAGES).filter(page -> ask(file, page))).hasSizeGreaterThanOrEqualTo(PAGES - 1);
    }

    @Test
    void aScanThatIsLargerThanTheCacheFindsSomeOfItAgain() {
        for (int round = 0; round < 10; round++) {
            long found = IntStream.range(0, 2 * PAGES)
                    .filter(page -> ask(file, page))
                    .count();
            assertThat(found).isBetween(round == 0 ? 0L : PAGES / 2, (long) PAGES);
        }
    }

    @Test
    void whatIsNotAskedForAnyMoreIsDrivenOut() {
        for (int round = 0; round < 20; round++) {
            IntStream.range(0, PAGES).forEach(page -> ask(file, page));
        }
        DecodedCache.OfFile later = cache.open();
        for (int round = 0; round < 400; round++) {
            IntStream.range(0, PAGES).forEach(page -> ask(later, page));
        }
        assertThat(IntStream.range(0, PAGES).filter(page -> ask(later, page))).hasSize(PAGES);
    }
}
