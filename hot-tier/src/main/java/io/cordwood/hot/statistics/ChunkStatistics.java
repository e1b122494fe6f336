package io.cordwood.hot.statistics;

import io.cordwood.hot.log.OffsetSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Statistics of the rows in a range of records of one partition. Immutable.
 *
 * @param span the records; all committed ones are covered
 * @param tenants the tenants with rows in these records
 */
public record ChunkStatistics(OffsetSpan span, Map<String, TenantRows> tenants) implements ChunkKnowledge {
    /** Number of offsets of a chunk; chunks begin at multiples of it. */
    public static final long OFFSETS = 8192;

    private static final int CHUNK_BYTES = 200;
    private static final int TENANT_BYTES = 150;

    public ChunkStatistics {
        tenants = Map.copyOf(tenants);
    }

    /** The number of the chunk that contains an offset. */
    public static long number(long offset) {
        return offset / OFFSETS;
    }

    /** A span, split at chunk boundaries. */
    public static List<OffsetSpan> cut(OffsetSpan span) {
        List<OffsetSpan> parts = new ArrayList<>();
        long from = span.from();
        while (from < span.to()) {
            long to = Math.min(span.to(), (number(from) + 1) * OFFSETS);
            parts.add(new OffsetSpan(span.partition(), from, to));
            from = to;
        }
        return parts;
    }

    @Override
    public int bytes() {
        return CHUNK_BYTES + TENANT_BYTES * tenants.size();
    }
}
