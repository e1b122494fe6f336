package io.cordwood.trino.config;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;

import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CordwoodConfigTest {
    @Test
    void defaults() {
        assertRecordedDefaults(recordDefaults(CordwoodConfig.class)
                .setCatalogUri(null)
                .setCatalogToken(null)
                .setCatalogTokenFile(null)
                .setCatalogCaFile(null)
                .setStreams("logs")
                .setColumns("")
                .setMetadataCacheSize(DataSize.of(64, DataSize.Unit.MEGABYTE))
                .setManifestCacheSize(DataSize.of(64, DataSize.Unit.MEGABYTE))
                .setLogBlockCacheSize(DataSize.of(64, DataSize.Unit.MEGABYTE))
                .setBlockCacheSize(DataSize.of(128, DataSize.Unit.MEGABYTE))
                .setDecodedCacheSize(DataSize.of(128, DataSize.Unit.MEGABYTE))
                .setDiskCacheDirectory(null)
                .setDiskCacheSize(DataSize.of(10, DataSize.Unit.GIGABYTE))
                .setKafkaServers(null)
                .setKafkaProperties(null)
                .setRedisUri(null)
                .setHotStatisticsInterval(new Duration(100, TimeUnit.MILLISECONDS))
                .setHotStatisticsCacheSize(DataSize.of(64, DataSize.Unit.MEGABYTE))
                .setDefaultTenant("")
                .setRequireRecordTokens(false)
                .setDeletesCacheSize(DataSize.of(32, DataSize.Unit.MEGABYTE))
                .setHotCacheSize(DataSize.of(256, DataSize.Unit.MEGABYTE))
                .setAccessRulesCacheTtl(new Duration(2, TimeUnit.SECONDS))
                .setScanReportInterval(new Duration(10, TimeUnit.SECONDS))
                .setPlanningThreads(16)
                .setS3Requests(64));
    }

    @Test
    void explicitProperties(@TempDir Path directory) throws IOException {
        File kafkaProperties =
                Files.createFile(directory.resolve("kafka.properties")).toFile();
        File tokenFile = Files.createFile(directory.resolve("query.token")).toFile();
        File caFile = Files.createFile(directory.resolve("ca.pem")).toFile();
        Map<String, String> properties = Map.ofEntries(
                Map.entry("cordwood.catalog-uri", "http://127.0.0.1:8181"),
                Map.entry("cordwood.catalog-token", "secret"),
                Map.entry("cordwood.catalog-token-file", tokenFile.toString()),
                Map.entry("cordwood.catalog-ca-file", caFile.toString()),
                Map.entry("cordwood.streams", "logs, request_log"),
                Map.entry("cordwood.columns", "logs=level:varchar"),
                Map.entry("cordwood.metadata-cache-size", "1MB"),
                Map.entry("cordwood.manifest-cache-size", "2MB"),
                Map.entry("cordwood.logblock-cache-size", "3MB"),
                Map.entry("cordwood.block-cache-size", "4MB"),
                Map.entry("cordwood.decoded-cache-size", "9MB"),
                Map.entry("cordwood.disk-cache-directory", directory.toString()),
                Map.entry("cordwood.disk-cache-size", "8MB"),
                Map.entry("cordwood.kafka-bootstrap-servers", "127.0.0.1:9092"),
                Map.entry("cordwood.kafka-properties", kafkaProperties.toString()),
                Map.entry("cordwood.redis-uri", "redis://127.0.0.1:6379"),
                Map.entry("cordwood.hot-statistics-interval", "1ms"),
                Map.entry("cordwood.hot-statistics-cache-size", "6MB"),
                Map.entry("cordwood.default-tenant", "acme"),
                Map.entry("cordwood.require-record-tokens", "true"),
                Map.entry("cordwood.hot-cache-size", "5MB"),
                Map.entry("cordwood.deletes-cache-size", "6MB"),
                Map.entry("cordwood.access-rules-cache-ttl", "5s"),
                Map.entry("cordwood.scan-report-interval", "3s"),
                Map.entry("cordwood.planning-threads", "6"),
                Map.entry("cordwood.s3-requests", "7"));
        assertFullMapping(
                properties,
                new CordwoodConfig()
                        .setCatalogUri(URI.create("http://127.0.0.1:8181"))
                        .setCatalogToken("secret")
                        .setCatalogTokenFile(tokenFile)
                        .setCatalogCaFile(caFile)
                        .setStreams("logs,request_log")
                        .setColumns("logs=level:varchar")
                        .setMetadataCacheSize(DataSize.of(1, DataSize.Unit.MEGABYTE))
                        .setManifestCacheSize(DataSize.of(2, DataSize.Unit.MEGABYTE))
                        .setLogBlockCacheSize(DataSize.of(3, DataSize.Unit.MEGABYTE))
                        .setBlockCacheSize(DataSize.of(4, DataSize.Unit.MEGABYTE))
                        .setDecodedCacheSize(DataSize.of(9, DataSize.Unit.MEGABYTE))
                        .setDiskCacheDirectory(directory.toFile())
                        .setDiskCacheSize(DataSize.of(8, DataSize.Unit.MEGABYTE))
                        .setKafkaServers("127.0.0.1:9092")
                        .setKafkaProperties(kafkaProperties)
                        .setRedisUri(URI.create("redis://127.0.0.1:6379"))
                        .setHotStatisticsInterval(new Duration(1, TimeUnit.MILLISECONDS))
                        .setHotStatisticsCacheSize(DataSize.of(6, DataSize.Unit.MEGABYTE))
                        .setDefaultTenant("acme")
                        .setRequireRecordTokens(true)
                        .setDeletesCacheSize(DataSize.of(6, DataSize.Unit.MEGABYTE))
                        .setHotCacheSize(DataSize.of(5, DataSize.Unit.MEGABYTE))
                        .setAccessRulesCacheTtl(new Duration(5, TimeUnit.SECONDS))
                        .setScanReportInterval(new Duration(3, TimeUnit.SECONDS))
                        .setPlanningThreads(6)
                        .setS3Requests(7));
    }
}
