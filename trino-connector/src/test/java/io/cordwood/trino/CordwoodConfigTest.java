package io.cordwood.trino;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;

import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CordwoodConfigTest {
    @Test
    void defaults() {
        assertRecordedDefaults(recordDefaults(CordwoodConfig.class)
                .setCatalogUri(null)
                .setCatalogToken(null)
                .setStreams("logs")
                .setColumns("")
                .setMetadataCacheSize(DataSize.of(64, DataSize.Unit.MEGABYTE))
                .setManifestCacheSize(DataSize.of(64, DataSize.Unit.MEGABYTE))
                .setLogBlockCacheSize(DataSize.of(64, DataSize.Unit.MEGABYTE))
                .setBlockCacheSize(DataSize.of(128, DataSize.Unit.MEGABYTE))
                .setAccessRulesCacheTtl(new Duration(2, TimeUnit.SECONDS))
                .setPlanningThreads(4));
    }

    @Test
    void explicitProperties() {
        Map<String, String> properties = Map.of(
                "cordwood.catalog-uri", "http://127.0.0.1:8181",
                "cordwood.catalog-token", "secret",
                "cordwood.streams", "logs, request_log",
                "cordwood.columns", "logs=level:varchar",
                "cordwood.metadata-cache-size", "1MB",
                "cordwood.manifest-cache-size", "2MB",
                "cordwood.logblock-cache-size", "3MB",
                "cordwood.block-cache-size", "4MB",
                "cordwood.access-rules-cache-ttl", "5s",
                "cordwood.planning-threads", "6");
        assertFullMapping(
                properties,
                new CordwoodConfig()
                        .setCatalogUri(URI.create("http://127.0.0.1:8181"))
                        .setCatalogToken("secret")
                        .setStreams("logs,request_log")
                        .setColumns("logs=level:varchar")
                        .setMetadataCacheSize(DataSize.of(1, DataSize.Unit.MEGABYTE))
                        .setManifestCacheSize(DataSize.of(2, DataSize.Unit.MEGABYTE))
                        .setLogBlockCacheSize(DataSize.of(3, DataSize.Unit.MEGABYTE))
                        .setBlockCacheSize(DataSize.of(4, DataSize.Unit.MEGABYTE))
                        .setAccessRulesCacheTtl(new Duration(5, TimeUnit.SECONDS))
                        .setPlanningThreads(6));
    }
}
