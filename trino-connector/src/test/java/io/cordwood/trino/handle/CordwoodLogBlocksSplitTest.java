package io.cordwood.trino.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.ScannedLogBlock;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.plan.LogBlockGroup;
import io.cordwood.query.plan.LogBlockPart;
import io.cordwood.query.plan.SplitOrder;
import io.cordwood.query.table.QueryColumn;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CordwoodLogBlocksSplitTest {
    @Test
    void logBlocksOfOneTableShareItsBinding() {
        ScannedLogBlock first = logBlock("a.parquet");
        ScannedLogBlock second = logBlock("b.parquet");
        CordwoodLogBlocksSplit split = CordwoodLogBlocksSplit.of(new LogBlockGroup(
                List.of(
                        new LogBlockPart(first, Optional.empty()),
                        new LogBlockPart(second, Optional.of(new TimeRange(3, 5)))),
                SplitOrder.FIRST));
        assertThat(split.bindings()).hasSize(1);
        assertThat(split.members()).extracting(split::logBlock).containsExactly(first, second);
        assertThat(split.members())
                .extracting(CordwoodLogBlocksSplit.Member::part)
                .containsExactly(Optional.empty(), Optional.of(new CordwoodLogBlocksSplit.TimePart(3, 5)));
    }

    private static ScannedLogBlock logBlock(String path) {
        return new ScannedLogBlock(
                path,
                1000,
                10,
                1,
                9,
                List.of(),
                new TableBinding(
                        Map.of("tenant_id", "acme", QueryColumn.PATH_NAME, path),
                        Map.of("level", List.of(Column.keyword("level", 3)))));
    }
}
