package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.hot.log.LogVersion;
import io.cordwood.ingest.source.ReadHistory.Position;
import org.junit.jupiter.api.Test;

class PositionTest {
    private static final Position RECORD = new Position(5, 1);
    private static final Position MARKER = new Position(7, 2);

    @Test
    void theOneFurtherOnCounts() {
        assertThat(RECORD.or(MARKER)).isEqualTo(MARKER);
        assertThat(MARKER.or(RECORD)).isEqualTo(MARKER);
    }

    @Test
    void oneWithoutALeaderCountsForNothing() {
        Position withoutLeader = new Position(9, LogVersion.NO_EPOCH);
        assertThat(RECORD.or(withoutLeader)).isEqualTo(RECORD);
        assertThat(withoutLeader.or(RECORD)).isEqualTo(RECORD);
        assertThat(Position.UNKNOWN.or(MARKER)).isEqualTo(MARKER);
        assertThat(Position.UNKNOWN.or(Position.UNKNOWN)).isEqualTo(Position.UNKNOWN);
    }
}
