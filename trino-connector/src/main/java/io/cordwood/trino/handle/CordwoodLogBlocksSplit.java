package io.cordwood.trino.handle;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.airlift.slice.SizeOf;
import io.cordwood.catalog.delete.RowDeleteFile;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.plan.LogBlockGroup;
import io.cordwood.query.plan.ScannedLogBlock;
import io.trino.spi.SplitWeight;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/**
 * A split of LogBlocks, which one page source reads one after another. Immutable.
 *
 * @param group the LogBlocks
 */
public record CordwoodLogBlocksSplit(LogBlockGroup group) implements CordwoodSplit {
    private static final int INSTANCE_SIZE = SizeOf.instanceSize(CordwoodLogBlocksSplit.class);
    private static final int LOGBLOCK_SIZE = SizeOf.instanceSize(ScannedLogBlock.class);
    private static final int DELETES_SIZE = SizeOf.instanceSize(RowDeleteFile.class);
    private static final int BYTES_PER_COLUMN = 150;
    private static final double STANDARD_COST = 32 << 20;
    private static final double MINIMUM_WEIGHT = 0.01;

    public CordwoodLogBlocksSplit {
        requireNonNull(group, "group is null");
    }

    /** Splits with the same LogBlocks have the same key, so that a node finds them in its cache. */
    @Override
    @JsonIgnore
    public Optional<String> getAffinityKey() {
        return Optional.of(group.logBlocks().getFirst().path());
    }

    @Override
    @JsonIgnore
    public SplitWeight getSplitWeight() {
        return SplitWeight.fromProportion(Math.clamp(group.cost() / STANDARD_COST, MINIMUM_WEIGHT, 1.0));
    }

    @Override
    @JsonIgnore
    public long getRetainedSizeInBytes() {
        long size = INSTANCE_SIZE;
        Set<TableBinding> bindings = Collections.newSetFromMap(new IdentityHashMap<>());
        for (ScannedLogBlock logBlock : group.logBlocks()) {
            size += LOGBLOCK_SIZE + SizeOf.estimatedSizeOf(logBlock.path());
            for (RowDeleteFile deletes : logBlock.deletes()) {
                size += DELETES_SIZE + SizeOf.estimatedSizeOf(deletes.location());
            }
            bindings.add(logBlock.binding());
        }
        for (TableBinding binding : bindings) {
            size += (long) BYTES_PER_COLUMN * binding.columns().size();
        }
        return size;
    }
}
