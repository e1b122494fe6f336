package io.cordwood.ingest.builder;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private final MemoryBudget budget = new MemoryBudget(1000, 100);

    @Test
    void buffersAreFreedFromHalfToAQuarter() {
        budget.buffered(500);
        assertThat(budget.isShort()).isFalse();
        budget.buffered(1);
        assertThat(budget.isShort()).isTrue();
        budget.buffered(-250);
        assertThat(budget.isShort()).isFalse();
        assertThat(budget.isRelieved()).isFalse();
        budget.buffered(-1);
        assertThat(budget.isRelieved()).isTrue();
        assertThat(budget.bufferedBytes()).isEqualTo(250);
        budget.buffersEmptied();
        assertThat(budget.bufferedBytes()).isZero();
    }

    @Test
    void flushesAndBuffersShareTheBudget() {
        budget.buffered(300);
        budget.flushBegan(MemoryBudget.ofFlush(200));
        assertThat(budget.flushingBytes()).isEqualTo(400);
        assertThat(budget.hasRoomFor(300)).isTrue();
        assertThat(budget.hasRoomFor(301)).isFalse();
        budget.flushEnded(400);
        assertThat(budget.hasRoomFor(700)).isTrue();
    }

    @Test
    void twoFlushesFitIntoASmallBudget() {
        assertThat(budget.flushBytes()).isEqualTo(100);
        assertThat(budget.maxFlushBytes()).isEqualTo(125);
        MemoryBudget small = new MemoryBudget(200, 100);
        assertThat(small.flushBytes()).isEqualTo(50);
        assertThat(2 * MemoryBudget.ofFlush(small.flushBytes())).isEqualTo(200);
    }
}
