package io.cordwood.query.plan;

import static com.google.common.collect.ImmutableList.toImmutableList;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.hot.LogEnds;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.hot.statistics.ChunkStatistics;
import io.cordwood.hot.statistics.KnownChunks;
import io.cordwood.hot.statistics.ScanBounds;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.query.binding.PredicateBinder;
import io.cordwood.query.binding.ScanBindings;
import io.cordwood.query.plan.HotPart.Span;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Plans the offsets that a scan must read from Kafka: from the end of a table to the log end that the query sees.
 * Immutable.
 */
final class HotPlanner {
    /** The minimum size of a part: scheduling a smaller one costs more than reading it. */
    static final long MIN_OFFSETS = 32_768;

    private static final long MAX_OFFSETS = 262_144;
    private static final int PARTS_PER_THREAD = 2;
    /** The size of a part of a top-n, which mostly needs only the first few rows. */
    private static final long TOP_N_OFFSETS = ChunkStatistics.OFFSETS;

    private static final Comparator<Span> IN_KAFKA =
            Comparator.comparingInt(Span::partition).thenComparingLong(Span::from);

    private final QuerySnapshot snapshot;
    private final String stream;
    private final ScanFilter filter;
    private final Optional<TopN> topN;
    private final int threads;
    private final Optional<Duration> statisticsMaxAge;
    private final PlanMetrics metrics;

    HotPlanner(QuerySnapshot snapshot, PlanRequest request, PlanMetrics metrics) {
        this.snapshot = snapshot;
        this.stream = request.stream();
        this.filter = request.filter();
        this.topN = request.topN();
        this.threads = request.readers().threads();
        this.statisticsMaxAge = request.options().statisticsMaxAge();
        this.metrics = metrics;
    }

    /** Plans the parts of a scan of one tenant's table. */
    List<HotPart> ofTenant(TableVersion table) {
        return parts(
                snapshot.unarchivedFrom(table),
                ScanBounds.of(table.tenantId(), filter.time()),
                new PredicateBinder(ScanBindings.ofTenant(ScanBindings.HOT).bind(table))
                        .bind(filter.conjuncts())
                        .pushed(),
                List.of(partTable(table, Optional.empty())),
                Map.of());
    }

    /**
     * Plans the parts of a scan over all tenants.
     *
     * @param tables the tables that may hold rows of the scan
     * @param shown the columns of the scan
     */
    List<HotPart> ofAllTenants(List<TableVersion> tables, Map<String, QueryColumn> shown) {
        Map<String, HotPart.Table> byTenant = new TreeMap<>();
        snapshot.deletedTenants(stream).stream()
                .filter(filter::admitsTenant)
                .forEach(deleted ->
                        byTenant.put(deleted, partTable(TableVersion.withoutTable(deleted, stream), floor(deleted))));
        for (TableVersion table : tables) {
            byTenant.put(table.tenantId(), partTable(table, floor(table.tenantId())));
        }
        return parts(
                snapshot.archivedThrough(stream),
                ScanBounds.ofTenants(filter::admitsTenant, filter.time()),
                Predicate.TRUE,
                List.copyOf(byTenant.values()),
                shown);
    }

    private Optional<String> floor(String tenantId) {
        TableOffsets floor = snapshot.floor(tenantId, stream);
        return floor.isEmpty() ? Optional.empty() : Optional.of(floor.toJson());
    }

    private static HotPart.Table partTable(TableVersion table, Optional<String> floors) {
        return new HotPart.Table(
                table.tenantId(), TenantNames.schemaName(table.tenantId()), table.metadataLocation(), floors);
    }

    private List<HotPart> parts(
            TableOffsets from,
            ScanBounds bounds,
            Predicate predicate,
            List<HotPart.Table> tables,
            Map<String, QueryColumn> shown) {
        Optional<LogEnds> logEnds = snapshot.logEnds(stream);
        if (logEnds.isEmpty()) {
            return List.of();
        }
        List<OffsetSpan> spans = logEnds.get().spansFrom(from).stream()
                .filter(span -> filter.admitsPartition(span.partition()))
                .toList();
        List<HotSpan> left = pruned(logEnds.get(), spans, bounds, predicate);
        metrics.hot.partitions.add(spans.size());
        metrics.hot.partitionsRead.add(
                left.stream().map(hot -> hot.span().partition()).distinct().count());
        return groups(ordered(left)).stream()
                .map(group -> new HotPart(
                        stream,
                        logEnds.get().log(),
                        group.stream().sorted(IN_KAFKA).toList(),
                        tables,
                        shown))
                .collect(toImmutableList());
    }

    /** The parts of the spans that may hold matching rows according to statistics. */
    private List<HotSpan> pruned(LogEnds logEnds, List<OffsetSpan> spans, ScanBounds bounds, Predicate predicate) {
        KnownChunks known =
                filter.useStatistics() ? snapshot.known(logEnds, spans, statisticsMaxAge) : new KnownChunks();
        List<HotSpan> left = known.prune(spans, bounds, metrics.hot);
        if (!filter.useStatistics()
                || predicate.equals(Predicate.TRUE)
                || bounds.tenantId().isEmpty()) {
            return left;
        }
        return snapshot.knownColumns(
                        logEnds,
                        bounds.tenantId().get(),
                        left.stream().map(HotSpan::span).toList(),
                        statisticsMaxAge)
                .prune(left, predicate, metrics.hot);
    }

    /** Sorts chunks so that the best ones for a top-n come first. */
    private List<HotSpan> ordered(List<HotSpan> chunks) {
        if (topN.isEmpty()) {
            return chunks;
        }
        Comparator<HotSpan> order = topN.get().newest()
                ? Comparator.comparingLong((HotSpan chunk) -> chunk.time().toMicros())
                        .reversed()
                : Comparator.comparingLong(chunk -> chunk.time().fromMicros());
        return chunks.stream().sorted(order).toList();
    }

    /** Groups the spans, which are chunks or parts of them, into parts of similar cost. */
    private List<List<Span>> groups(List<HotSpan> chunks) {
        List<Span> spans = chunks.stream().map(Span::of).toList();
        long total = spans.stream().mapToLong(Span::cost).sum();
        long target = topN.isPresent()
                ? TOP_N_OFFSETS
                : Math.clamp(Math.ceilDiv(total, (long) threads * PARTS_PER_THREAD), MIN_OFFSETS, MAX_OFFSETS);
        List<List<Span>> groups = new ArrayList<>();
        List<Span> group = new ArrayList<>();
        long cost = 0;
        for (Span span : spans) {
            group.add(span);
            cost += span.cost();
            if (cost >= target) {
                groups.add(group);
                group = new ArrayList<>();
                cost = 0;
            }
        }
        if (!group.isEmpty()) {
            groups.add(group);
        }
        return groups;
    }
}
