package io.cordwood.ingest.build;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Which tenants' rows have waited long enough. Stateless.
 *
 * <p>A tenant with many rows waits for the minimum age, so that they are found in few LogBlocks soon; one with few rows
 * for the maximum age, so that idle tenants cost neither files nor commits. Maximum ages are spread over the last
 * quarter, always alike for the same tenant and partition, so that tenants that began together do not end together.
 */
final class DueFlushes {
    private final BuildOptions options;

    DueFlushes(BuildOptions options) {
        this.options = options;
    }

    /** A tenant to be flushed, and why. */
    record Due(TenantBuffer tenant, FlushReason reason) {}

    /** What is due, the oldest rows first. */
    List<Due> due(Collection<PartitionBuffers> partitions, long nowMillis) {
        List<Due> due = new ArrayList<>();
        for (PartitionBuffers partition : partitions) {
            for (TenantBuffer tenant : partition.tenants()) {
                if (!tenant.hasRows() || tenant.inFlight() || nowMillis < tenant.retryMillis()) {
                    continue;
                }
                if (tenant.failures() > 0) {
                    due.add(new Due(tenant, FlushReason.RETRY));
                } else if (isOld(tenant, nowMillis)) {
                    due.add(new Due(tenant, FlushReason.AGE));
                } else if (partition.bytesRead() - tenant.bytesBefore() > options.maxLagBytes()) {
                    due.add(new Due(tenant, FlushReason.LAG));
                }
            }
        }
        due.sort(Comparator.comparingLong(one -> one.tenant().oldestAppendMicros()));
        return due;
    }

    private boolean isOld(TenantBuffer tenant, long nowMillis) {
        long ageMillis = nowMillis - tenant.oldestAppendMicros() / 1000;
        // Less than none if the clock was set back: nobody knows how long they have waited.
        return ageMillis < 0 || ageMillis >= allowedAgeMillis(tenant);
    }

    private long allowedAgeMillis(TenantBuffer tenant) {
        if (tenant.totalBytes() >= options.smallBytes()) {
            return options.minAge().toMillis();
        }
        int hash = tenant.tenantId().hashCode() * 31
                + tenant.partition().partition().partition();
        // The high bits of a multiplicative hash, as a fraction of a quarter.
        long jitter = ((options.maxAge().toMillis() / 4) * ((hash * 0x9E3779B9) >>> 16)) >> 16;
        return Math.max(options.minAge().toMillis(), options.maxAge().toMillis() - jitter);
    }
}
