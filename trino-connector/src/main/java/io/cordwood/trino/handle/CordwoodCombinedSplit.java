package io.cordwood.trino.handle;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.airlift.slice.SizeOf;
import java.util.List;
import java.util.Optional;

/**
 * All splits of a scan that is gathered, which one page source reads one after another: those of the tail first, in
 * this order. Immutable.
 *
 * @param hot splits of the stream's tail
 * @param cold splits of LogBlocks
 */
public record CordwoodCombinedSplit(List<CordwoodHotSplit> hot, List<CordwoodLogBlocksSplit> cold)
        implements CordwoodSplit {
    private static final int INSTANCE_SIZE = SizeOf.instanceSize(CordwoodCombinedSplit.class);

    public CordwoodCombinedSplit {
        hot = List.copyOf(hot);
        cold = List.copyOf(cold);
    }

    /** That of the first part. */
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
