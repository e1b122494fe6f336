package io.cordwood.trino;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.airlift.slice.SizeOf;
import io.cordwood.logblock.LogBlockSchema;
import io.trino.spi.SplitWeight;
import java.util.Optional;

/**
 * One LogBlock. Immutable.
 *
 * @param path location of the object
 * @param sizeInBytes its length
 * @param rowCount its rows
 * @param fromMicros time of its first row, or a bound below it
 * @param toMicros time of its last row, or a bound above it
 * @param binding what the columns of the scan are in it
 */
public record CordwoodColdSplit(
        String path, long sizeInBytes, long rowCount, long fromMicros, long toMicros, TableBinding binding)
        implements CordwoodSplit {
    private static final int INSTANCE_SIZE = SizeOf.instanceSize(CordwoodColdSplit.class);
    private static final int BYTES_PER_COLUMN = 150;
    private static final double STANDARD_SIZE_IN_BYTES = 32 << 20;
    private static final double MINIMUM_WEIGHT = 0.05;

    public CordwoodColdSplit {
        requireNonNull(path, "path is null");
        requireNonNull(binding, "binding is null");
    }

    /** The LogBlock as errors name it. */
    String description() {
        return binding.constant(LogBlockSchema.TENANT_ID)
                .map(tenant -> "the LogBlock %s of tenant '%s'".formatted(path, tenant))
                .orElse("the LogBlock " + path);
    }

    /** Reading the same LogBlock on the same node finds it in the node's cache. */
    @Override
    @JsonIgnore
    public Optional<String> getAffinityKey() {
        return Optional.of(path);
    }

    @Override
    @JsonIgnore
    public SplitWeight getSplitWeight() {
        return SplitWeight.fromProportion(Math.clamp(sizeInBytes / STANDARD_SIZE_IN_BYTES, MINIMUM_WEIGHT, 1.0));
    }

    @Override
    @JsonIgnore
    public long getRetainedSizeInBytes() {
        return INSTANCE_SIZE
                + SizeOf.estimatedSizeOf(path)
                + (long) BYTES_PER_COLUMN * binding.columns().size();
    }
}
