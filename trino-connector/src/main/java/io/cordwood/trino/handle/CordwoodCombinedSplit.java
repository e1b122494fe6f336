package io.cordwood.trino.handle;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.airlift.slice.SizeOf;
import java.util.List;
import java.util.Optional;

/**
 * All splits of a combined scan. One page source reads them one after another: the hot splits first, in this order.
 * Immutable.
 *
 * @param hot splits of hot rows
 * @param cold splits of LogBlocks
 */
public record CordwoodCombinedSplit(List<CordwoodHotSplit> hot, List<CordwoodLogBlocksSplit> cold)
        implements CordwoodSplit {
    private static final int INSTANCE_SIZE = SizeOf.instanceSize(CordwoodCombinedSplit.class);

    public CordwoodCombinedSplit {
        hot = List.copyOf(hot);
        cold = List.copyOf(cold);
    }

    /** The affinity key of the first part. */
    @Override
    @JsonIgnore
    public Optional<String> getAffinityKey() {
        return hot.isEmpty() ? cold.getFirst().getAffinityKey() : hot.getFirst().getAffinityKey();
    }

    @Override
    @JsonIgnore
    public long getRetainedSizeInBytes() {
        return INSTANCE_SIZE
                + hot.stream()
                        .mapToLong(CordwoodHotSplit::getRetainedSizeInBytes)
                        .sum()
                + cold.stream()
                        .mapToLong(CordwoodLogBlocksSplit::getRetainedSizeInBytes)
                        .sum();
    }
}
