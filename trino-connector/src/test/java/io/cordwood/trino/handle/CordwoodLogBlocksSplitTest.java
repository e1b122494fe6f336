package io.cordwood.trino.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.airlift.json.JsonCodec;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.ScanBindings;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.plan.LogBlockGroup;
import io.cordwood.query.plan.ScannedLogBlock;
import io.cordwood.query.plan.SplitOrder;
import io.cordwood.query.table.QueryColumn;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CordwoodLogBlocksSplitTest {
    private static final JsonCodec<List<CordwoodLogBlocksSplit>> JSON =
            JsonCodec.listJsonCodec(CordwoodLogBlocksSplit.class);

    private final TableBinding acme = binding("acme");
    private final TableBinding ajax = binding("ajax");

    @Test
    void nodesReadTheSplitsThatWerePlanned() {
        List<CordwoodLogBlocksSplit> splits = List.of(
                split(logBlock("a.parquet", acme), logBlock("b.parquet", ajax), logBlock("c.parquet", acme)),
                split(logBlock("d.parquet", acme)));
        List<CordwoodLogBlocksSplit> read = JSON.fromJson(JSON.toJson(splits));
        assertThat(read).isEqualTo(splits);
        assertThat(read.getFirst().group().logBlocks().getFirst().rowBinding().constant(QueryColumn.PATH_NAME))
                .contains("a.parquet");
    }

    @Test
    void logBlocksOfOneTableShareItsBinding() {
        String json = JSON.toJson(List.of(split(logBlock("a.parquet", acme), logBlock("b.parquet", acme))));
        assertThat(json).containsOnlyOnce("\"columns\"");
        List<ScannedLogBlock> logBlocks = JSON.fromJson(json).getFirst().group().logBlocks();
        assertThat(logBlocks.get(1).binding()).isSameAs(logBlocks.get(0).binding());
    }

    private static CordwoodLogBlocksSplit split(ScannedLogBlock... logBlocks) {
        return new CordwoodLogBlocksSplit(new LogBlockGroup(List.of(logBlocks), SplitOrder.FIRST));
    }

    private static ScannedLogBlock logBlock(String path, TableBinding binding) {
        return new ScannedLogBlock(path, 1000, 10, 1, 9, List.of(), new TimeRange(3, 5), binding);
    }

    private static TableBinding binding(String tenantId) {
        return new TableBinding(
                Map.of("tenant_id", tenantId, QueryColumn.TIER_NAME, ScanBindings.COLD),
                Map.of("level", List.of(Column.keyword("level", 3))));
    }
}
