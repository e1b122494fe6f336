package io.cordwood.trino.limit;

import static java.util.Objects.requireNonNull;

import io.trino.spi.resourcegroups.ResourceGroup;
import io.trino.spi.resourcegroups.ResourceGroupConfigurationManager;
import io.trino.spi.resourcegroups.ResourceGroupId;
import io.trino.spi.resourcegroups.SchedulingPolicy;
import io.trino.spi.resourcegroups.SelectionContext;
import io.trino.spi.resourcegroups.SelectionCriteria;
import java.time.Duration;
import java.util.Optional;

/**
 * A resource group for each user, with the same limits, below one group without limits. The users' groups take turns,
 * so that nobody waits behind all queries of another user. Thread-safe.
 */
final class UserLimits implements ResourceGroupConfigurationManager<String> {
    private static final ResourceGroupId ALL = new ResourceGroupId("users");

    private final UserLimitsConfig limits;

    UserLimits(UserLimitsConfig limits) {
        this.limits = requireNonNull(limits, "limits is null");
    }

    @Override
    public Optional<SelectionContext<String>> match(SelectionCriteria query) {
        return Optional.of(new SelectionContext<>(new ResourceGroupId(ALL, query.getUser()), query.getUser()));
    }

    @Override
    public SelectionContext<String> parentGroupContext(SelectionContext<String> user) {
        return new SelectionContext<>(user.getResourceGroupId().getParent().orElseThrow(), user.getContext());
    }

    @Override
    public void configure(ResourceGroup group, SelectionContext<String> query) {
        if (group.getId().equals(ALL)) {
            group.setHardConcurrencyLimit(Integer.MAX_VALUE);
            group.setMaxQueuedQueries(Integer.MAX_VALUE);
            group.setSoftMemoryLimitBytes(Long.MAX_VALUE);
            group.setSchedulingPolicy(SchedulingPolicy.FAIR);
            return;
        }
        group.setHardConcurrencyLimit(limits.getRunningQueries());
        group.setMaxQueuedQueries(limits.getQueuedQueries());
        group.setSoftMemoryLimitBytes(limits.getMemory().toBytes());
        limits.getHourlyScans().ifPresent(bytes -> {
            group.setHardPhysicalDataScanLimitBytes(bytes.toBytes());
            group.setPhysicalDataScanQuotaGenerationBytesPerSecond(
                    Math.max(1, bytes.toBytes() / Duration.ofHours(1).toSeconds()));
        });
    }

    @Override
    public void shutdown() {}
}
