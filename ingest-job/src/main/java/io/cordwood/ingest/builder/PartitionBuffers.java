package io.cordwood.ingest.builder;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.statistics.ChunkRecorder;
import io.cordwood.hot.statistics.ChunkStatistics;
import io.cordwood.hot.statistics.PartitionEpoch;
import io.cordwood.hot.statistics.TenantColumns;
import io.cordwood.ingest.commit.Progress;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.record.buffer.MemberObserver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The builder's view of one partition: its position and the tenants' buffers. Used by the task thread only. */
final class PartitionBuffers {
    private final LogPartition partition;
    private final Map<String, TenantBuffer> tenants = new HashMap<>();
    private final List<String> forgotten = new ArrayList<>();
    private long position;
    private long base;
    private long flushes;
    private long bytesRead;
    private ChunkRecorder statistics;
    private int leaderEpoch = LogVersion.NO_EPOCH;
    private Progress reported;
    private PartitionState saved;

    /** A partition without a checkpoint: all rows below {@code archivedThrough} are in tables. */
    PartitionBuffers(LogPartition partition, long archivedThrough) {
        this.partition = partition;
        this.position = archivedThrough;
        this.base = archivedThrough;
        this.statistics = recorder();
    }

    /** A partition from a checkpoint. */
    PartitionBuffers(LogPartition partition, PartitionState state) {
        this.partition = partition;
        this.position = state.position();
        this.base = state.base();
        this.flushes = state.flushes();
        this.bytesRead = state.bytesRead();
        this.saved = state;
        this.statistics = recorder();
    }

    /** A recorder of statistics from the position on. */
    private ChunkRecorder recorder() {
        return new ChunkRecorder(partition.partition(), position);
    }

    void restore(String tenantId, TenantState state) {
        tenants.put(tenantId, new TenantBuffer(this, tenantId, state));
    }

    LogPartition partition() {
        return partition;
    }

    /** Next offset to ingest. */
    long position() {
        return position;
    }

    /** An offset below which all rows are in tables. */
    long base() {
        return base;
    }

    /** Bytes ingested so far. */
    long bytesRead() {
        return bytesRead;
    }

    /**
     * Sets the leader that appended the next records. Earlier records are still in its log: the consumer checks this
     * before it continues with another leader.
     */
    void leaderEpoch(int epoch) {
        leaderEpoch = epoch;
    }

    /** The partition under the leader whose log contains all its known records. */
    PartitionEpoch underLeader() {
        return new PartitionEpoch(partition.id(), leaderEpoch);
    }

    /** Notes an ingested record. */
    void advance(long offset, long bytes) {
        position = offset + 1;
        bytesRead += bytes;
        statistics.advance(offset);
    }

    /** Notes the rows of the record ingested last. */
    void rows(String tenantId, int rows, TimeRange times) {
        statistics.rows(tenantId, position - 1, rows, times.fromMicros(), times.toMicros());
    }

    /** The observer of the values of the record ingested last, for this tenant. */
    Optional<? extends MemberObserver> observer(String tenantId) {
        return statistics.observer(tenantId, position - 1);
    }

    /** New column statistics of these tenants. */
    List<TenantColumns> takeColumns(Set<String> askedTenants) {
        if (hasEnded()) {
            return List.of();
        }
        statistics.advance(position);
        return statistics.takeColumns(askedTenants);
    }

    /** New statistics of the ingested records. */
    List<ChunkStatistics> takeStatistics() {
        if (hasEnded()) {
            return List.of();
        }
        statistics.advance(position);
        return statistics.takeNews();
    }

    /** Notes that no further record will come below an offset. */
    void emptyBelow(long offset) {
        position = Math.max(position, offset);
        if (!hasEnded()) {
            statistics.advance(position);
        }
    }

    /** Whether no further record will come because the topic is gone. Then no query requests its statistics either. */
    boolean hasEnded() {
        return position == TableOffsets.END;
    }

    /** The tenant's buffer; only {@link #keep} registers a new one. */
    TenantBuffer tenant(String tenantId) {
        TenantBuffer known = tenants.get(tenantId);
        return known != null ? known : new TenantBuffer(this, tenantId, base);
    }

    /** Registers the buffer of a tenant that has rows. */
    void keep(TenantBuffer tenant) {
        tenants.putIfAbsent(tenant.tenantId(), tenant);
    }

    /** Memory of all waiting rows, now or before they were spilled. */
    long waitingBytes() {
        long bytes = 0;
        for (TenantBuffer tenant : tenants.values()) {
            bytes += tenant.totalBytes();
        }
        return bytes;
    }

    /** The registered buffer of a tenant. */
    Optional<TenantBuffer> kept(String tenantId) {
        return Optional.ofNullable(tenants.get(tenantId));
    }

    Collection<TenantBuffer> tenants() {
        return tenants.values();
    }

    /** The number of the next flush. */
    long nextFlush() {
        return flushes++;
    }

    /**
     * Notes the archived-through offset, and forgets idle tenants whose flushes are below it: their next flush may as
     * well start there.
     */
    void archivedThrough(long offset) {
        if (offset <= base) {
            return;
        }
        base = offset;
        if (offset > position) {
            position = offset;
            // There are no statistics of skipped records, and a query that saw an earlier archived-through offset still
            // requests them
            statistics = recorder();
        }
        for (Iterator<TenantBuffer> all = tenants.values().iterator(); all.hasNext(); ) {
            TenantBuffer tenant = all.next();
            if (!tenant.hasRows() && !tenant.inFlight() && tenant.from() <= base) {
                all.remove();
                forgotten.add(tenant.tenantId());
            }
        }
    }

    /** The progress of the partition, if it has changed since the last report. */
    List<Progress> progress() {
        long lowest = position;
        long oldest = Long.MAX_VALUE;
        for (TenantBuffer tenant : tenants.values()) {
            if (tenant.hasRows()) {
                lowest = Math.min(lowest, tenant.firstOffset());
                oldest = Math.min(oldest, tenant.oldestAppendMicros());
            }
        }
        Progress progress = new Progress(partition, flushes, lowest, oldest);
        if (progress.equals(reported)) {
            return List.of();
        }
        reported = progress;
        return List.of(progress);
    }

    /** The state to save, if it has changed since the last save. */
    List<PartitionState> changedState() {
        PartitionState state = new PartitionState(position, base, flushes, bytesRead);
        if (state.equals(saved)) {
            return List.of();
        }
        saved = state;
        return List.of(state);
    }

    /** Tenants forgotten since the last call. */
    List<String> takeForgotten() {
        List<String> taken = List.copyOf(forgotten);
        forgotten.clear();
        return taken;
    }
}
