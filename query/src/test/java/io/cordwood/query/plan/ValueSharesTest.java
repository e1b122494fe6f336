package io.cordwood.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.table.TableColumns;
import io.cordwood.query.table.TableVersion;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.junit.jupiter.api.Test;

class ValueSharesTest {
    private static final TableColumns COLUMNS =
            TableVersion.withoutTable("acme", "logs").columns();
    private static final int TS = COLUMNS.sources("ts").getFirst().fieldId();

    private static DataFile file(long rows, Map<Integer, Long> values, Map<Integer, Long> nulls) {
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath("/f.parquet")
                .withFileSizeInBytes(1000)
                .withMetrics(new Metrics(rows, values, values, nulls, Map.of(), Map.of(), Map.of()))
                .build();
    }

    @Test
    void theShareIsThatOfAllFiles() {
        List<DataFile> files =
                List.of(file(300, Map.of(TS, 300L), Map.of(TS, 100L)), file(100, Map.of(TS, 100L), Map.of(TS, 0L)));
        assertThat(ValueShares.of(COLUMNS, files)).containsEntry("ts", 0.75).containsEntry("tenant_id", 1.0);
    }

    @Test
    void aFileFromBeforeTheColumnHasNoValues() {
        List<DataFile> files = List.of(file(300, Map.of(), Map.of()), file(100, Map.of(TS, 100L), Map.of(TS, 0L)));
        assertThat(ValueShares.of(COLUMNS, files)).containsEntry("ts", 0.25);
    }

    @Test
    void whatAFileDoesNotTellIsUnknown() {
        assertThat(ValueShares.of(COLUMNS, List.of(file(300, Map.of(TS, 300L), Map.of()))))
                .doesNotContainKey("ts");
        assertThat(ValueShares.of(COLUMNS, List.of())).isEmpty();
    }

    @Test
    void mapsAndHiddenColumnsHaveNone() {
        DataFile file = file(1, Map.of(TS, 1L), Map.of(TS, 0L));
        assertThat(ValueShares.of(COLUMNS, List.of(file))).doesNotContainKeys("attributes", "$path", "$kafka_offset");
    }
}
