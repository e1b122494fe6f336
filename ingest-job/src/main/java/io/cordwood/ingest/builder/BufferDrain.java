package io.cordwood.ingest.builder;

import java.util.Collection;

/**
 * The ways in which rows leave the buffers: to a flush, or to the state, which frees their memory. Rows are inspected
 * for missing columns before they leave. Used by the task thread only.
 */
final class BufferDrain {
    private final MemoryBudget budget;
    private final BuilderState state;
    private final ColumnDeclarations declarations;

    BufferDrain(MemoryBudget budget, BuilderState state, ColumnDeclarations declarations) {
        this.budget = budget;
        this.state = state;
        this.declarations = declarations;
    }

    /** Hands the oldest waiting rows of a tenant over to a flush, spilled ones and buffered ones. */
    FlushInput handOver(TenantBuffer tenant) {
        budget.buffered(-tenant.bufferBytes());
        declarations.inspect(tenant);
        FlushInput input = tenant.handOver(budget.maxFlushBytes());
        budget.buffered(tenant.bufferBytes());
        return input;
    }

    /** Spills the buffered rows of a tenant to the state. */
    void spill(TenantBuffer tenant) throws Exception {
        budget.buffered(-tenant.bufferBytes());
        declarations.inspect(tenant);
        state.spill(tenant);
    }

    /** Spills all buffered rows, and saves all changes, for a checkpoint. */
    void save(Collection<PartitionBuffers> partitions) throws Exception {
        declarations.inspect();
        for (PartitionBuffers partition : partitions) {
            state.save(partition);
        }
        budget.buffersEmptied();
    }
}
