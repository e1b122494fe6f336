package io.cordwood.logblock.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PageBuffersTest {
    private static final int KB = 1 << 10;

    private final PageBuffers buffers = new PageBuffers();

    @Test
    void anArrayIsTakenAgain() {
        byte[] first = buffers.take(130 * KB);
        buffers.give(first);
        assertThat(buffers.retainedBytes()).isEqualTo(first.length);
        assertThat(buffers.take(100 * KB)).isSameAs(first);
        assertThat(buffers.retainedBytes()).isZero();
    }

    @Test
    void aSmallPageTakesNoLargeArray() {
        byte[] large = buffers.take(400 * KB);
        buffers.give(large);
        assertThat(buffers.take(60 * KB)).hasSizeLessThan(130 * KB);
        assertThat(buffers.take(390 * KB)).isSameAs(large);
    }

    @Test
    void arraysOfASizeThatIsNoLongerAskedForMakeRoom() {
        for (int i = 0; i < 100; i++) {
            buffers.give(new byte[400 * KB]);
            assertThat(buffers.retainedBytes()).isLessThanOrEqualTo(16L << 20);
        }
        byte[] small = new byte[32 * KB];
        buffers.give(small);
        assertThat(buffers.take(KB)).isSameAs(small);
    }
}
