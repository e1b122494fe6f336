package io.cordwood.ingest.builder;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.ingest.runtime.JobClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Which tenants' rows have waited long enough, are too many, or are asked for. Stateless.
 *
 * <p>A tenant with many rows waits for the minimum age or its turn, so that they are found in few LogBlocks soon; one
 * with few rows for its turn, so that idle tenants cost neither files nor commits. Time is cut into periods of the
 * maximum age, and a tenant has one turn in each, always at the same point: so rows wait for at most that age, each
 * tenant is flushed once a period, from all its partitions at once, and turns are spread evenly, also of tenants whose
 * rows began to wait together.
 *
 * <p>Rows of a topic that is gone wait for nothing more. Others wait from when they were read, not from when Kafka took
 * them: a job that is behind by more than the age would otherwise flush with each look what little it has just read of
 * each tenant, and fall further behind by it.
 */
final class DueFlushes {
    private final BuildOptions options;
    private final long maxWaitingBytes;

    /**
     * What is due by these options.
     *
     * @param maxWaitingBytes above, the largest are due whatever their age
     */
    DueFlushes(BuildOptions options, long maxWaitingBytes) {
        this.options = options;
        this.maxWaitingBytes = maxWaitingBytes;
    }

    /**
     * A tenant to be flushed.
     *
     * @param reason why
     * @param firstOffset where its rows begin
     */
    record Due(TenantBuffer tenant, FlushReason reason, long firstOffset) {
        Due(TenantBuffer tenant, FlushReason reason) {
            this(tenant, reason, tenant.firstOffset());
        }

        /** Whether it was flushed since then, or could not be. */
        boolean isOver() {
            return tenant.firstOffset() != firstOffset || (tenant.failures() > 0 && reason != FlushReason.RETRY);
        }
    }

    /** Which flushes are asked for. */
    @FunctionalInterface
    interface Requests {
        /** By tenant, the first offsets that need not be flushed. */
        Map<String, TableOffsets> of(String stream);
    }

    /**
     * What is due: what is asked for first, as somebody waits for it, then the oldest rows.
     *
     * @param waitingBytes of all rows that wait, also of those that cannot be flushed now
     * @param clock tells how long they have waited
     */
    List<Due> due(Collection<PartitionBuffers> partitions, Requests requests, long waitingBytes, JobClock clock) {
        long now = clock.ticks();
        long wallMillisAtZero = clock.wallMillisAt(0);
        List<Due> due = new ArrayList<>();
        List<TenantBuffer> others = new ArrayList<>();
        for (PartitionBuffers partition : partitions) {
            Map<String, TableOffsets> requested = requests.of(partition.partition().stream());
            for (TenantBuffer tenant : partition.tenants()) {
                if (!tenant.hasRows() || tenant.inFlight() || now < tenant.retry()) {
                    continue;
                }
                if (tenant.failures() > 0) {
                    due.add(new Due(tenant, FlushReason.RETRY));
                } else if (isAskedFor(tenant, requested)) {
                    due.add(new Due(tenant, FlushReason.REQUEST));
                } else if (partition.hasEnded() || isOld(tenant, now, wallMillisAtZero)) {
                    due.add(new Due(tenant, FlushReason.AGE));
                } else if (partition.bytesRead() - tenant.bytesBefore() > options.maxLagBytes()) {
                    due.add(new Due(tenant, FlushReason.LAG));
                } else {
                    others.add(tenant);
                }
            }
        }
        long tooMany = waitingBytes - maxWaitingBytes;
        for (Due one : due) {
            tooMany -= one.tenant().totalBytes();
        }
        if (tooMany > 0) {
            largest(others, tooMany).forEach(tenant -> due.add(new Due(tenant, FlushReason.MEMORY)));
        }
        due.sort(Comparator.comparing((Due one) -> one.reason() != FlushReason.REQUEST)
                .thenComparingLong(one -> one.tenant().oldestAppendMicros()));
        return due;
    }

    /** What is asked for is complete when the position has reached it: then all rows below wait here. */
    private static boolean isAskedFor(TenantBuffer tenant, Map<String, TableOffsets> requested) {
        TableOffsets offsets = requested.get(tenant.tenantId());
        if (offsets == null) {
            return false;
        }
        PartitionId partition = tenant.partition().partition().id();
        long offset = offsets.offset(partition);
        return offset <= tenant.partition().position() && tenant.firstOffset() < offset;
    }

    private boolean isOld(TenantBuffer tenant, long now, long wallMillisAtZero) {
        long ageMillis = now - tenant.since();
        return ageMillis >= millisToTurn(tenant, wallMillisAtZero)
                || (tenant.totalBytes() >= options.smallBytes()
                        && ageMillis >= options.minAge().toMillis());
    }

    /**
     * How long after its rows began to wait the tenant has its turn: more than none, the maximum age at most. Turns
     * go by the wall clock, so that all subtasks agree; when that jumps, the turn moves within the age.
     */
    private long millisToTurn(TenantBuffer tenant, long wallMillisAtZero) {
        long period = options.maxAge().toMillis();
        // The high bits of a multiplicative hash, as a fraction of the period.
        long turn = (period * ((tenant.tenantId().hashCode() * 0x9E3779B9) >>> 16)) >> 16;
        return period - Math.floorMod(tenant.since() + wallMillisAtZero - turn, period);
    }

    /** The fewest tenants that have so many bytes, or all. */
    private static List<TenantBuffer> largest(List<TenantBuffer> tenants, long bytes) {
        PriorityQueue<TenantBuffer> bySize = new PriorityQueue<>(
                Comparator.comparingLong(TenantBuffer::totalBytes).reversed());
        bySize.addAll(tenants);
        List<TenantBuffer> largest = new ArrayList<>();
        for (long sum = 0;
                sum < bytes && !bySize.isEmpty();
                sum += largest.getLast().totalBytes()) {
            largest.add(bySize.remove());
        }
        return largest;
    }
}
