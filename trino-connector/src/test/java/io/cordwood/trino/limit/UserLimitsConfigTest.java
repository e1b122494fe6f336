package io.cordwood.trino.limit;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;

import io.airlift.units.DataSize;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UserLimitsConfigTest {
    @Test
    void defaults() {
        assertRecordedDefaults(recordDefaults(UserLimitsConfig.class)
                .setRunningQueries(10)
                .setQueuedQueries(100)
                .setMemory(DataSize.of(1, DataSize.Unit.GIGABYTE))
                .setHourlyScans(null));
    }

    @Test
    void explicitProperties() {
        assertFullMapping(
                Map.of(
                        "cordwood.user-running-queries", "2",
                        "cordwood.user-queued-queries", "3",
                        "cordwood.user-memory", "4MB",
                        "cordwood.user-hourly-scans", "5GB"),
                new UserLimitsConfig()
                        .setRunningQueries(2)
                        .setQueuedQueries(3)
                        .setMemory(DataSize.of(4, DataSize.Unit.MEGABYTE))
                        .setHourlyScans(DataSize.of(5, DataSize.Unit.GIGABYTE)));
    }
}
