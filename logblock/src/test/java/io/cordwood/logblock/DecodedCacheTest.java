package io.cordwood.logblock;

import static org.assertj.core.api.Assertions.assertThat;

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
        boolean found = of.find(FIELD, page).isPresent();
        if (!found) {
            of.offer(FIELD, page, VALUES);
        }
        return found;
    }

    @Test
    void givesWhatWasOffered() {
        assertThat(file.find(FIELD, 0)).isEmpty();
        assertThat(file.offer(FIELD, 0, VALUES)).isTrue();
        assertThat(file.find(FIELD, 0)).containsSame(VALUES);
        assertThat(file.offer(FIELD, 0, VALUES)).isFalse();
        assertThat(file.find(FIELD + 1, 0)).isEmpty();
        assertThat(cache.open().find(FIELD, 0)).isEmpty();
        assertThat(cache.counts()).isEqualTo(new DecodedCache.Counts(1, 3, 0));
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
