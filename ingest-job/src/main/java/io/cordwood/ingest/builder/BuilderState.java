package io.cordwood.ingest.builder;

import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.source.LogPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;

/**
 * The builder's checkpointed state, keyed by partition: the partition itself, its tenants, and the chunks of waiting
 * rows. Accessed once per tenant and checkpoint, never per row. Used by the task thread only.
 */
final class BuilderState {
    private static final String PARTITION = "partition";

    private final long rangeBytes;
    private final JobClock clock;
    private final KeyedStateBackend<LogPartition> backend;
    private final ValueState<PartitionState> partitions;
    private final MapState<String, TenantState> tenants;
    private final MapState<ChunkKey, byte[]> chunks;

    /**
     * The state in this backend.
     *
     * @param rangeBytes size up to which small chunks are combined in one {@link ChunkRange}
     * @param clock tells how long rows have waited: by its ticks in memory, by its wall clock in the state
     */
    BuilderState(long rangeBytes, JobClock clock, KeyedStateBackend<LogPartition> backend, KeyedStateStore store) {
        this.rangeBytes = rangeBytes;
        this.clock = clock;
        this.backend = backend;
        this.partitions = store.getState(new ValueStateDescriptor<>(PARTITION, new PartitionStateSerializer()));
        this.tenants = store.getMapState(
                new MapStateDescriptor<>("tenants", StringSerializer.INSTANCE, new TenantStateSerializer()));
        this.chunks = store.getMapState(new MapStateDescriptor<>(
                "tenant-chunks", new ChunkKeySerializer(), BytePrimitiveArraySerializer.INSTANCE));
    }

    /** All partitions of this subtask that the checkpoint holds. */
    List<PartitionBuffers> restore() throws Exception {
        List<LogPartition> keys;
        try (Stream<LogPartition> stored = backend.getKeys(PARTITION, VoidNamespace.INSTANCE)) {
            keys = stored.toList();
        }
        List<PartitionBuffers> restored = new ArrayList<>();
        for (LogPartition key : keys) {
            backend.setCurrentKey(key);
            PartitionBuffers buffers = new PartitionBuffers(key, partitions.value());
            for (Map.Entry<String, TenantState> tenant : tenants.entries()) {
                buffers.restore(tenant.getKey(), tenant.getValue().since(clock::ticksAt));
            }
            restored.add(buffers);
        }
        return restored;
    }

    /** Spills the tenants' buffers, and saves all changes. */
    void save(PartitionBuffers buffers) throws Exception {
        backend.setCurrentKey(buffers.partition());
        for (String tenantId : buffers.takeForgotten()) {
            tenants.remove(tenantId);
        }
        for (TenantBuffer tenant : buffers.tenants()) {
            if (tenant.hasBufferedRows()) {
                spill(tenant);
            }
            if (tenant.takeChanged()) {
                tenants.put(tenant.tenantId(), tenant.state().since(clock::wallMillisAt));
            }
        }
        for (PartitionState state : buffers.changedState()) {
            partitions.update(state);
        }
    }

    /** Converts the tenant's buffered rows to a chunk of the state, which frees their memory. */
    void spill(TenantBuffer tenant) throws Exception {
        byte[] chunk = tenant.toChunk(rangeBytes);
        putChunk(tenant, tenant.nextChunk() - 1, chunk);
    }

    void putChunk(TenantBuffer tenant, long number, byte[] chunk) throws Exception {
        backend.setCurrentKey(tenant.partition().partition());
        chunks.put(new ChunkKey(tenant.tenantId(), number), chunk);
    }

    /**
     * The tenant's chunks in some ranges, ascending. Some numbers may have none.
     *
     * @throws MissingChunksException if a whole range has none
     */
    List<byte[]> chunks(TenantBuffer tenant, List<ChunkRange> ranges) throws Exception {
        backend.setCurrentKey(tenant.partition().partition());
        List<byte[]> found = new ArrayList<>();
        for (ChunkRange range : ranges) {
            int before = found.size();
            for (long number = range.first(); number < range.next(); number++) {
                byte[] chunk = chunks.get(new ChunkKey(tenant.tenantId(), number));
                if (chunk != null) {
                    found.add(chunk);
                }
            }
            if (found.size() == before) {
                throw new MissingChunksException(tenant, range.firstOffset());
            }
        }
        return found;
    }

    void removeChunks(TenantBuffer tenant, List<ChunkRange> ranges) throws Exception {
        backend.setCurrentKey(tenant.partition().partition());
        for (ChunkRange range : ranges) {
            for (long number = range.first(); number < range.next(); number++) {
                chunks.remove(new ChunkKey(tenant.tenantId(), number));
            }
        }
    }
}
