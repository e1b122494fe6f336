package io.cordwood.ingest.builder;

import static io.cordwood.ingest.testing.Records.STREAM;
import static io.cordwood.ingest.testing.Records.TOPIC_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.ExpiredBefore;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.ingest.testing.MemoryTableStorage;
import io.cordwood.logblock.schema.ColumnType;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlushBuilderTest {
    private static final PartitionId P0 = new PartitionId(TOPIC_ID, 0);

    private final MemoryTableStorage storage = new MemoryTableStorage();
    private final FlushBuilder builder = new FlushBuilder(storage, FlushOrders.OPTIONS);

    private List<Flush> build(FlushOrder order) throws IOException {
        return builder.write(builder.prepare(order));
    }

    private void commit(String tenantId, List<Flush> flushes) throws Exception {
        storage.commit(tenantId, STREAM, flushes);
    }

    /** Retention dropped their days: stored now, they would come back. */
    @Test
    void leavesOutRowsOfDaysThatHaveExpired() throws Exception {
        storage.table("acme", STREAM);
        storage.setProperty("acme", STREAM, ExpiredBefore.PROPERTY, "2026-01-10T00:00:00Z");
        commit(
                "acme",
                build(FlushOrders.order(
                        "acme",
                        List.of(
                                "{\"ts\":\"2026-01-09T23:59:59.999999Z\"}",
                                "{\"ts\":\"2026-01-10T00:00:00Z\"}",
                                "{\"ts\":\"2025-01-01T00:00:00Z\"}",
                                "{\"ts\":\"2026-01-11T00:00:00Z\"}"))));
        assertThat(builder.expiredRows()).isEqualTo(2);
        assertThat(storage.rows("acme", STREAM)).hasSize(2);
        assertThat(storage.tableOffset("acme", STREAM, P0))
                .as("the table offset advances")
                .isEqualTo(4);
    }

    @Test
    void leavesOutRowsBelowTheTableOffset() throws Exception {
        commit("acme", build(FlushOrders.order("acme", List.of("{}", "{}"))));
        List<Flush> flushes = build(FlushOrders.order("acme", List.of("{}", "{}", "{}")));
        assertThat(flushes).singleElement().satisfies(flush -> {
            assertThat(flush.from()).isEqualTo(2);
            assertThat(flush.to()).isEqualTo(3);
            assertThat(flush.files().getFirst().summary().rowCount()).isOne();
        });
    }

    @Test
    void makesNoTableForRowsThatWereDeletedWithTheirTenant() throws Exception {
        storage.deleteTenant("acme", STREAM, TableOffsets.of(Map.of(P0, 2L)));
        List<Flush> flushes = build(FlushOrders.order("acme", List.of("{}", "{}")));
        assertThat(flushes).singleElement().satisfies(flush -> {
            assertThat(flush.to()).isEqualTo(2);
            assertThat(flush.files()).isEmpty();
        });
        assertThat(storage.hasTable("acme", STREAM)).isFalse();
    }

    @Test
    void rowsOfTooManyDaysAreSeveralFlushes() throws Exception {
        List<String> days = IntStream.range(0, FlushBuilder.MAX_DAYS + 1)
                .mapToObj(day -> "{\"ts\":%d}".formatted((10_000 + day) * 86_400_000_000L))
                .toList();
        List<Flush> flushes = build(FlushOrders.order("acme", days));
        assertThat(flushes).extracting(Flush::from).containsExactly(0L, (long) FlushBuilder.MAX_DAYS);
        assertThat(flushes).extracting(flush -> flush.files().size()).containsExactly(FlushBuilder.MAX_DAYS, 1);
    }

    private ColumnType type(String tenantId, String column) throws Exception {
        return storage.table(tenantId, STREAM)
                .schema()
                .column(column)
                .orElseThrow()
                .type();
    }

    /** The column that another subtask adds meanwhile by the name of a twin decides. */
    @Test
    void theLoserOfARaceForANameTakesTheWinnersTypeOrAttributes() throws Exception {
        storage.table("own", STREAM);
        storage.table("twin", STREAM);
        storage.addBeforeNextColumns("own", ColumnDefinition.of("x.double", ColumnType.DOUBLE));
        storage.addBeforeNextColumns("twin", ColumnDefinition.of("x", ColumnType.BIGINT));
        commit("own", build(FlushOrders.order("own", List.of("{\"x\":7}"))));
        commit("twin", build(FlushOrders.order("twin", List.of("{\"x\":{\"double\":2.5}}"))));
        assertThat(type("own", "x.double")).isEqualTo(ColumnType.DOUBLE);
        assertThat(type("own", "x")).isEqualTo(ColumnType.DOUBLE);
        assertThat(storage.values("own", STREAM, "x")).containsExactly("7.0");
        assertThat(storage.values("own", STREAM, "x.double")).containsExactly("null");
        assertThat(type("twin", "x")).isEqualTo(ColumnType.BIGINT);
        assertThat(storage.columns("twin", STREAM)).doesNotContain("x.double");
        assertThat(storage.values("twin", STREAM, "attributes")).containsExactly("{x.double=2.5}");
    }
}
