package io.cordwood.benchmarks.table;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.sketch.TokenFilter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A tenant's LogBlocks in a catalog, oldest first. Immutable. */
public record TenantTable(LogBlockSchema schema, List<Stored> blocks) {
    public TenantTable {
        blocks = blocks.stream()
                .sorted(Comparator.comparing(block -> block.time().fromMicros()))
                .toList();
    }

    /**
     * A LogBlock in a file.
     *
     * @param time first and last time of its rows
     * @param filter filter of the terms that it may contain
     */
    public record Stored(Path file, TimeRange time, Optional<TokenFilter> filter) {
        public boolean mayMatch(Predicate predicate) {
            return filter.map(known -> known.mayMatch(predicate)).orElse(true);
        }
    }

    /** All LogBlocks of these tables in one; their rows have the same columns. */
    public static TenantTable of(List<TenantTable> parts) {
        return new TenantTable(
                parts.getFirst().schema,
                parts.stream().flatMap(part -> part.blocks.stream()).toList());
    }

    /** The LogBlocks that can contain rows of the range. */
    public List<Stored> within(TimeRange range) {
        return blocks.stream()
                .filter(block -> block.time().fromMicros() <= range.toMicros()
                        && block.time().toMicros() >= range.fromMicros())
                .toList();
    }
}
