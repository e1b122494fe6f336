package io.cordwood.search.loki;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.search.RowPosition;
import io.cordwood.query.search.TailRows;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.line.LogLine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TailMessagesTest {
    private static final List<QueryColumn> COLUMNS =
            List.of(QueryColumn.TS, QueryColumn.stored("message", ColumnType.VARCHAR, IndexKind.TEXT));
    private static final RowPosition FIRST = new RowPosition(7, 0, 1, 0, 0);
    private static final RowPosition SECOND = new RowPosition(8, 0, 2, 0, 0);

    private final TailMessages messages = new TailMessages(LogQl.parseLogQuery("{} |= \"fire\""), "logs", false);

    private static TailRows rows(long dropped, long skipped) {
        return new TailRows(
                COLUMNS,
                new RowChunk(
                        List.of(FIRST, SECOND),
                        List.of(
                                new LongVector(new long[] {7, 8}, 2, NullMask.none()),
                                StringVector.of("on fire", "a fax")),
                        new int[] {0, 1}),
                dropped,
                skipped);
    }

    @Test
    void linesOfTheQueryByTheirStreams() {
        assertThat(messages.next(List.of(rows(0, 0))))
                .contains("{\"streams\":[{\"stream\":{\"stream\":\"logs\"},\"values\":[[\"7000\",\"on fire\"]]}]}");
    }

    @Test
    void aLineOfTheFirstMessageIsNotRepeated() {
        LogLine line = new LogLine(7_000, "on fire", Map.of("stream", "logs"), Map.of());
        assertThat(messages.first(List.of(new LineSearch.FoundLine(FIRST, line))))
                .contains("on fire");
        assertThat(messages.next(List.of(rows(0, 0)))).isEmpty();
    }

    @Test
    void lostLinesAreCountedButNotThoseOfOthers() {
        assertThat(messages.next(List.of(rows(17, 0))).orElseThrow())
                .contains("\"dropped_entries\":[{\"timestamp\":\"")
                .contains("\"lines\":\"17\"");
        assertThat(messages.next(List.of(rows(0, 4711))).orElseThrow())
                .contains("\"lines\":\"some\"")
                .doesNotContain("4711");
    }
}
