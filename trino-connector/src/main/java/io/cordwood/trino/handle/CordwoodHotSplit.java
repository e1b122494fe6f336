package io.cordwood.trino.handle;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.airlift.slice.SizeOf;
import io.cordwood.query.plan.HotPart;
import java.util.Optional;

/**
 * A split of rows of a stream that are still in Kafka. Immutable.
 *
 * @param part the rows
 */
public record CordwoodHotSplit(HotPart part) implements CordwoodSplit {
    private static final int INSTANCE_SIZE = SizeOf.instanceSize(CordwoodHotSplit.class);
    private static final int BYTES_PER_SPAN = 32;
    private static final int BYTES_PER_TABLE = 300;

    public CordwoodHotSplit {
        requireNonNull(part, "part is null");
    }

    /** Splits with the same chunks have the same key, so that a node finds their rows in its cache. */
    @Override
    @JsonIgnore
    public Optional<String> getAffinityKey() {
        return Optional.of(part.affinityKey());
    }

    @Override
    @JsonIgnore
    public long getRetainedSizeInBytes() {
        return INSTANCE_SIZE
                + (long) BYTES_PER_SPAN * part.spans().size()
                + (long) BYTES_PER_TABLE * part.tables().size();
    }
}
