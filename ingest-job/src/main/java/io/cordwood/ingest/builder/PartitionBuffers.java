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
import io.cordwood.record.MemberObserver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One partition as its builder knows it: position and tenants' buffers. Used by the task thread only. */
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

    /** A partition that no checkpoint holds: all rows below {@code archivedThrough} are in tables. */
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

    /** Statistics of what is read from the position on. */
    private ChunkRecorder recorder() {
        return new ChunkRecorder(partition.partition(), position);
    }

    void restore(String tenantId, TenantState state) {
        tenants.put(tenantId, new TenantBuffer(this, tenantId, state));
    }

    LogPartition partition() {
        return partition;
    }

    /** Next offset to be taken in. */
    long position() {
        return position;
    }

    /** An offset below which all rows are in tables. */
    long base() {
        return base;
    }

    /** Bytes taken in so far. */
    long bytesRead() {
        return bytesRead;
    }

    /**
     * Takes note of the leader that appended the records which come next. What was read before still stands in its log:
     * the consumer looks before it goes on with another leader.
     */
    void leaderEpoch(int epoch) {
        leaderEpoch = epoch;
    }

    /** The partition under the leader in whose log all stands that is known of it. */
    PartitionEpoch underLeader() {
        return new PartitionEpoch(partition.id(), leaderEpoch);
    }

    /** Takes note that a record was taken in. */
    void advance(long offset, long bytes) {
        position = offset + 1;
        bytesRead += bytes;
        statistics.advance(offset);
    }

    /** Takes note of the rows of the record that was taken in last. */
    void rows(String tenantId, int rows, TimeRange times) {
        statistics.rows(tenantId, position - 1, rows, times.fromMicros(), times.toMicros());
    }

    /** Who is to be told of the values of the record that was taken in last, if it is this tenant's. */
    Optional<? extends MemberObserver> observer(String tenantId) {
        return statistics.observer(tenantId, position - 1);
    }

    /** What is known of the columns of these tenants that was not before. */
    List<TenantColumns> takeColumns(Set<String> askedTenants) {
        if (hasEnded()) {
            return List.of();
        }
        statistics.advance(position);
        return statistics.takeColumns(askedTenants);
    }

    /** What is known of the records taken in that was not before. */
    List<ChunkStatistics> takeStatistics() {
        if (hasEnded()) {
            return List.of();
        }
        statistics.advance(position);
        return statistics.takeNews();
    }

    /** Takes note that no record is left to come below an offset. */
    void emptyBelow(long offset) {
        position = Math.max(position, offset);
        if (!hasEnded()) {
            statistics.advance(position);
        }
    }

    /**
     * Whether no record is left to come at all, since the topic is gone. Then nobody asks for its statistics either.
     */
    boolean hasEnded() {
        return position == TableOffsets.END;
    }

    /** The tenant's buffer, which it gets by {@link #keep} only. */
    TenantBuffer tenant(String tenantId) {
        TenantBuffer known = tenants.get(tenantId);
        return known != null ? known : new TenantBuffer(this, tenantId, base);
    }

    /** Keeps the buffer of a tenant that has rows. */
    void keep(TenantBuffer tenant) {
        tenants.putIfAbsent(tenant.tenantId(), tenant);
    }

    /** Memory that all rows that wait take or took before they were put aside. */
    long waitingBytes() {
        long bytes = 0;
        for (TenantBuffer tenant : tenants.values()) {
            bytes += tenant.totalBytes();
        }
        return bytes;
    }

    /** The buffer of a tenant that is kept. */
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
     * Takes note of W, and forgets idle tenants whose flushes are below it: their next one may as well start there.
     */
    void archivedThrough(long offset) {
        if (offset <= base) {
            return;
        }
        base = offset;
        if (offset > position) {
            position = offset;
            // Of what was skipped nothing is known, and a query that saw an earlier W still asks
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

    /** How far the partition is, unless that is what was said the last time. */
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

    /** The state to be saved, if it is another one than was saved last. */
    List<PartitionState> changedState() {
        PartitionState state = new PartitionState(position, base, flushes, bytesRead);
        if (state.equals(saved)) {
            return List.of();
        }
        saved = state;
        return List.of(state);
    }

    /** Tenants that were forgotten since the last time. */
    List<String> takeForgotten() {
        List<String> taken = List.copyOf(forgotten);
        forgotten.clear();
        return taken;
    }
}
