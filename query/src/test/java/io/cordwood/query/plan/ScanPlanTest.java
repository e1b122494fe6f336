package io.cordwood.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.hot.log.LogVersion;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.plan.PlanRequest.Demand;
import io.cordwood.query.plan.PlanRequest.Options;
import io.cordwood.query.plan.PlanRequest.Readers;
import io.cordwood.query.table.TableVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScanPlanTest {
    private static final TableBinding BINDING = new TableBinding(Map.of("tenant_id", "acme"), Map.of());
    private static final ScanFilter ONE_TENANT = new ScanFilter(
            TimeRange.ALL,
            List.of(new Predicate.In(Column.keyword("tenant_id", 1), List.of(ValueRange.equal("t3")))),
            true);
    private static final ScanFilter NONE = new ScanFilter(new TimeRange(1, 0), List.of(), true);

    private final ExecutorService threads = Executors.newSingleThreadExecutor();
    private final List<String> planned = new ArrayList<>();
    private final PlanMetrics metrics = new PlanMetrics();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void hotRowsComeFirst() {
        ScanPlan plan = plan(ScanFilter.ANY, Optional.empty(), 2, 10);
        assertThat(plan.next(1, ScanFilter.ANY).join()).hasOnlyElementsOfType(HotPart.class);
        assertThat(planned).isEmpty();
        assertThat(plan.isFinished()).isFalse();
        assertThat(plan.next(100, ScanFilter.ANY).join()).hasOnlyElementsOfType(LogBlockGroup.class);
        assertThat(plan.isFinished()).isTrue();
    }

    @Test
    void tablesArePlannedOnDemand() {
        ScanPlan plan = plan(ScanFilter.ANY, Optional.empty(), 4, 2_000);
        plan.next(2, ScanFilter.ANY).join();
        assertThat(planned).containsExactly("t0");
        // As a join learns that one tenant suffices
        List<ScanPart> rest = new ArrayList<>();
        while (!plan.isFinished()) {
            rest.addAll(plan.next(1_000, ONE_TENANT).join());
        }
        assertThat(rest).isNotEmpty();
        assertThat(planned).containsExactly("t0", "t3");
    }

    @Test
    void noTableIsPlannedOnceNoRowCanMatch() {
        ScanPlan plan = plan(ScanFilter.ANY, Optional.empty(), 2, 10);
        assertThat(plan.next(100, NONE).join()).hasOnlyElementsOfType(HotPart.class);
        assertThat(planned).isEmpty();
        assertThat(plan.isFinished()).isTrue();
    }

    @Test
    void aTopNPlansAllTablesAndKeepsTheBestLogBlocks() {
        ScanPlan plan = plan(ScanFilter.ANY, Optional.of(new TopN(15, true, false, false)), 2, 10);
        List<ScannedLogBlock> logBlocks = plan.next(100, ScanFilter.ANY).join().stream()
                .filter(LogBlockGroup.class::isInstance)
                .flatMap(part -> ((LogBlockGroup) part).logBlocks().stream())
                .toList();
        assertThat(planned).containsExactly("t0", "t1");
        // Each of the two tables has ten rows in its last LogBlock
        assertThat(logBlocks).extracting(ScannedLogBlock::fromMicros).containsExactly(9_000L, 9_000L);
        assertThat(plan.counts()).containsEntry("LogBlocks pruned by top-n", 18L);
    }

    @Test
    void conditionsMayDropTheBestRowsOfATopN() {
        ScanFilter time = ScanFilter.ANY.within(new TimeRange(0, 100_000));
        ScanPlan plan = plan(time, Optional.of(new TopN(15, true, false, false)), 2, 10);
        plan.next(100, ScanFilter.ANY).join();
        assertThat(plan.counts()).containsEntry("LogBlocks pruned by top-n", 0L);
    }

    /** A plan of one hot part, and tables of LogBlocks of ten rows, one after another in time. */
    private ScanPlan plan(ScanFilter filter, Optional<TopN> topN, int tables, int logBlocks) {
        PlanRequest request = new PlanRequest(
                "logs",
                new ScanTarget.AllTenants(Map.of()),
                filter,
                topN,
                topN.isPresent() ? Demand.FIRST_ROWS : Demand.ALL_ROWS,
                new Readers(1, 2),
                new Options(true, true, Optional.empty()));
        HotPart hot = new HotPart("logs", new LogVersion("topic", Map.of()), List.of(), List.of(), Map.of());
        return new ScanPlan(
                request,
                () -> CompletableFuture.completedFuture(List.of(hot)),
                IntStream.range(0, tables)
                        .mapToObj(i -> TableVersion.withoutTable("t" + i, "logs"))
                        .toList(),
                (table, narrowed) -> {
                    planned.add(table.tenantId());
                    return IntStream.range(0, logBlocks)
                            .mapToObj(i -> new ScannedLogBlock(
                                    table.tenantId() + i, 1_000, 10, i * 1_000L, i * 1_000L + 999, BINDING))
                            .toList();
                },
                metrics,
                threads);
    }
}
