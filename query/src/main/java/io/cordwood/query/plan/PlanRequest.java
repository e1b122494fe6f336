package io.cordwood.query.plan;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/**
 * A scan to plan. Immutable.
 *
 * @param stream the stream
 * @param target the tenants whose rows it reads
 * @param filter the conditions on its rows
 * @param topN the first or last rows, if these suffice
 * @param demand the rows that its readers return
 * @param readers the number of its readers
 * @param options the tiers and optimisations that it uses
 */
public record PlanRequest(
        String stream,
        ScanTarget target,
        ScanFilter filter,
        Optional<TopN> topN,
        Demand demand,
        Readers readers,
        Options options) {
    /** The rows that the readers of a scan return. */
    public enum Demand {
        /** Each reader returns all rows of its parts. */
        ALL_ROWS,
        /** Rows are only counted, in total or by time bin. */
        COUNTS,
        /** Some rows suffice. */
        FIRST_ROWS,
        /** One reader reads all parts, and selects or groups their rows. */
        COMBINED
    }

    /**
     * The number of readers.
     *
     * @param nodes number of nodes that read, at least one
     * @param threadsPerNode number of parts that each node reads concurrently
     */
    public record Readers(int nodes, int threadsPerNode) {
        public Readers {
            nodes = Math.max(1, nodes);
        }

        int threads() {
            return nodes * threadsPerNode;
        }
    }

    /**
     * Tiers and optimisations.
     *
     * @param readsHotTier whether the scan reads hot rows
     * @param useTokenFilters whether token filters prune LogBlocks
     * @param statisticsMaxAge maximum age of statistics of growing chunks; empty for the configured one
     */
    public record Options(boolean readsHotTier, boolean useTokenFilters, Optional<Duration> statisticsMaxAge) {
        public Options {
            requireNonNull(statisticsMaxAge, "statisticsMaxAge is null");
        }
    }

    public PlanRequest {
        requireNonNull(stream, "stream is null");
        requireNonNull(target, "target is null");
        requireNonNull(filter, "filter is null");
        requireNonNull(topN, "topN is null");
        requireNonNull(demand, "demand is null");
        requireNonNull(readers, "readers is null");
        requireNonNull(options, "options is null");
    }

    /** Whether several readers may share a large LogBlock; each searches its rows again. */
    boolean cutsLogBlocks() {
        return switch (demand) {
            case ALL_ROWS -> true;
            // Whole LogBlocks are counted without being opened
            case COUNTS -> !filter.conjuncts().isEmpty();
            case FIRST_ROWS, COMBINED -> false;
        };
    }
}
