package io.cordwood.trino.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.scan.BatchSize;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.TableColumnHandle;
import io.trino.spi.StandardErrorCode;
import io.trino.spi.TrinoException;
import io.trino.spi.block.LongArrayBlock;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class LogBlockSourcePageTest {
    private static final CordwoodColumnHandle STATUS =
            new TableColumnHandle(QueryColumn.stored("status", ColumnType.BIGINT, IndexKind.NONE));

    @Test
    void readsWhatIsAskedFor() {
        LogBlockSourcePage page =
                page((rows, from, count) -> new LongArrayBlock(2, Optional.empty(), new long[] {7, 8}));
        page.selectPositions(new int[] {0, 1}, 1, 1);
        assertThat(page.getPositionCount()).isEqualTo(1);
    }

    @Test
    void saysWhichFileIsDamaged() {
        LogBlockSourcePage damaged = page((rows, from, count) -> {
            throw new IndexOutOfBoundsException("Index 7");
        });
        assertThatThrownBy(() -> damaged.getBlock(0))
                .isInstanceOf(TrinoException.class)
                .hasMessageContaining("column 'status' of file:///logs/x.parquet")
                .hasMessageContaining("Index 7");
        LogBlockSourcePage unreadable = page((rows, from, count) -> {
            throw new IOException("gone");
        });
        assertThatThrownBy(() -> unreadable.getBlock(0))
                .hasMessage("Cannot read column 'status' of file:///logs/x.parquet: gone");
    }

    /** Trino fails a query by it whose memory is over the limit. */
    @Test
    void passesOnWhatMemoryAccountingThrows() {
        TrinoException overLimit = new TrinoException(StandardErrorCode.EXCEEDED_LOCAL_MEMORY_LIMIT, "too much");
        LogBlockSourcePage page =
                page((rows, from, count) -> new LongArrayBlock(2, Optional.empty(), new long[] {7, 8}), bytes -> {
                    throw overLimit;
                });
        assertThatThrownBy(() -> page.getBlock(0)).isSameAs(overLimit);
    }

    private static LogBlockSourcePage page(BlockReader reader) {
        return page(reader, bytes -> {});
    }

    private static LogBlockSourcePage page(BlockReader reader, LongConsumer retained) {
        return new LogBlockSourcePage(
                "file:///logs/x.parquet",
                List.of(STATUS),
                List.of(reader),
                new BatchSize(10),
                retained,
                new int[] {3, 4},
                0,
                2);
    }
}
