package io.cordwood.trino.limit;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.util.Optional;

/** The limits of each user's queries. Not thread-safe; read once, at start. */
public class UserLimitsConfig {
    private int runningQueries = 10;
    private int queuedQueries = 100;
    private DataSize memory = DataSize.of(1, DataSize.Unit.GIGABYTE);
    private Optional<DataSize> hourlyScans = Optional.empty();

    @Min(1)
    public int getRunningQueries() {
        return runningQueries;
    }

    @Config("cordwood.user-running-queries")
    @ConfigDescription("Queries of a user that run at the same time; further ones wait")
    public UserLimitsConfig setRunningQueries(int runningQueries) {
        this.runningQueries = runningQueries;
        return this;
    }

    @Min(0)
    public int getQueuedQueries() {
        return queuedQueries;
    }

    @Config("cordwood.user-queued-queries")
    @ConfigDescription("Queries of a user that wait; further ones fail")
    public UserLimitsConfig setQueuedQueries(int queuedQueries) {
        this.queuedQueries = queuedQueries;
        return this;
    }

    @NotNull
    public DataSize getMemory() {
        return memory;
    }

    @Config("cordwood.user-memory")
    @ConfigDescription("Memory of a user's queries together, beyond which further ones wait")
    public UserLimitsConfig setMemory(DataSize memory) {
        this.memory = memory;
        return this;
    }

    public Optional<DataSize> getHourlyScans() {
        return hourlyScans;
    }

    @Config("cordwood.user-hourly-scans")
    @ConfigDescription("Bytes of LogBlocks that a user's queries read in an hour, beyond which further ones wait")
    public UserLimitsConfig setHourlyScans(DataSize hourlyScans) {
        this.hourlyScans = Optional.ofNullable(hourlyScans);
        return this;
    }
}
