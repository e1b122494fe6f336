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
 * Selects the tenants to flush: their rows have waited long enough, are too many, or were requested. Stateless.
 *
 * <p>A tenant with many rows waits for the minimum age or its slot, so that its rows are soon in few LogBlocks. A
 * tenant with few rows waits for its slot, so that idle tenants cost neither files nor commits. Time is divided into
 * periods, of the age of small tenants or, for tenants with very few rows in a quiet partition, of the maximum age. A
 * tenant has one slot in each, always at the same point, and its slot in the long period is one of those in the short
 * one. So rows wait at most for that age, a tenant is flushed from all its partitions together, and slots are spread
 * evenly, even for tenants whose rows began to wait together. In a busy partition few rows wait no longer than others,
 * because a query may have to read what came after them.
 *
 * <p>Rows of a deleted topic do not wait. The waiting time of other rows begins when they were read, not when Kafka
 * appended them. Otherwise a job that is behind by more than the age would, at each check, flush the few rows it has
 * just read of each tenant, and fall further behind.
 */
final class DueFlushes {
    private final BuildOptions options;
    private final long maxWaitingBytes;

    /**
     * Selects by these options. The largest tenants are due at any age well below the limit of waiting bytes, so that
     * reading is slowed down only if LogBlocks cannot be written.
     */
    DueFlushes(BuildOptions options) {
        this(options, options.maxWaitingBytes() / 4 * 3);
    }

    /** @param maxWaitingBytes above this, the largest tenants are due at any age */
    DueFlushes(BuildOptions options, long maxWaitingBytes) {
        this.options = options;
        this.maxWaitingBytes = maxWaitingBytes;
    }

    /**
     * A tenant to be flushed.
     *
     * @param reason the reason
     * @param firstOffset first offset of its rows
     */
    record Due(TenantBuffer tenant, FlushReason reason, long firstOffset) {
        Due(TenantBuffer tenant, FlushReason reason) {
            this(tenant, reason, tenant.firstOffset());
        }

        /** Whether the rows were flushed since then, or a flush failed. */
        boolean isOver() {
            return tenant.firstOffset() != firstOffset || (tenant.failures() > 0 && reason != FlushReason.RETRY);
        }
    }

    /** The requested flushes. */
    @FunctionalInterface
    interface Requests {
        /** By tenant, the first offsets that need no flush. */
        Map<String, TableOffsets> of(String stream);
    }

    /**
     * The due flushes: requested ones first, because a client waits for them, then the oldest rows.
     *
     * @param waitingBytes bytes of all waiting rows, including those that cannot be flushed now
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
                } else if (isRequested(tenant, requested)) {
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

    /** A request can be met once the position has reached its offset: then all rows below it wait here. */
    private static boolean isRequested(TenantBuffer tenant, Map<String, TableOffsets> requested) {
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
        return ageMillis >= millisToSlot(tenant, wallMillisAtZero)
                || (tenant.totalBytes() >= options.smallBytes()
                        && ageMillis >= options.minAge().toMillis());
    }

    /**
     * Time from the start of the wait to the tenant's slot: more than zero, at most the period. Slots follow the wall
     * clock, so that all subtasks agree; when it jumps, the slot moves within the period.
     */
    private long millisToSlot(TenantBuffer tenant, long wallMillisAtZero) {
        long smallMillis = options.smallAge().toMillis();
        long maxMillis = options.maxAge().toMillis();
        long period = waitsLong(tenant) ? maxMillis : smallMillis;
        long wholeMillis = maxMillis / smallMillis * smallMillis;
        // The high bits of a multiplicative hash, as a fraction of the short periods in the long one.
        long slot = (wholeMillis * ((tenant.tenantId().hashCode() * 0x9E3779B9) >>> 16)) >> 16;
        return period - Math.floorMod(tenant.since() + wallMillisAtZero - slot, period);
    }

    private boolean waitsLong(TenantBuffer tenant) {
        return tenant.totalBytes() < options.tinyBytes()
                && tenant.partition().bytesRead() - tenant.bytesBefore() <= options.tinyLagBytes();
    }

    /** The fewest tenants that together have this many bytes, or all. */
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
