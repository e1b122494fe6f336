package io.cordwood.hot.statistics;

import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.predicate.Predicate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The column statistics of one tenant in a topic's hot chunks, for pruning. Not thread-safe. */
public final class KnownColumns {
    private record Key(int partition, long number) {}

    private final Map<Key, TenantColumns> chunks = new HashMap<>();

    /** Adds the column statistics of a chunk, and replaces earlier ones. */
    public void add(TenantColumns columns) {
        chunks.put(new Key(columns.span().partition(), columns.number()), columns);
    }

    /**
     * The spans without the records that certainly hold no row that satisfies the predicate. Each span lies in one
     * chunk; the predicate is on stored columns of the tenant's table. Only covered offsets are pruned.
     */
    public List<HotSpan> prune(List<HotSpan> spans, Predicate predicate, PruningMetrics metrics) {
        List<HotSpan> left = new ArrayList<>();
        for (HotSpan span : spans) {
            TenantColumns columns = chunks.get(new Key(
                    span.span().partition(), ChunkStatistics.number(span.span().from())));
            Optional<OffsetSpan> covered =
                    Optional.ofNullable(columns).flatMap(known -> span.span().intersection(known.span()));
            if (covered.isEmpty() || columns.mayMatch(predicate)) {
                left.add(span);
            } else {
                metrics.prunedByColumns.increment();
                addPart(span, span.span().from(), covered.get().from(), left);
                addPart(span, covered.get().to(), span.span().to(), left);
            }
        }
        return left;
    }

    private static void addPart(HotSpan span, long from, long to, List<HotSpan> left) {
        OffsetSpan part = new OffsetSpan(span.span().partition(), from, to);
        List<OffsetSpan> reads = span.reads().stream()
                .flatMap(read -> read.intersection(part).stream())
                .toList();
        if (!reads.isEmpty()) {
            left.add(new HotSpan(part, reads, span.time()));
        }
    }
}
