package io.cordwood.trino.config;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Splitter;
import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.configuration.ConfigSecuritySensitive;
import io.airlift.configuration.validation.FileExists;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.airlift.units.MinDuration;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.query.QuerySettings;
import io.cordwood.query.snapshot.HotTierReader;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.io.File;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The properties of a catalog file of the connector. Not thread-safe; read once, at start. */
public class CordwoodConfig {
    private URI catalogUri;
    private Optional<String> catalogToken = Optional.empty();
    private Optional<File> catalogTokenFile = Optional.empty();
    private Optional<File> catalogCaFile = Optional.empty();
    private List<String> streams = List.of("logs");
    private String columns = "";
    private DataSize metadataCacheSize = DataSize.of(64, DataSize.Unit.MEGABYTE);
    private DataSize manifestCacheSize = DataSize.of(64, DataSize.Unit.MEGABYTE);
    private DataSize logBlockCacheSize = DataSize.of(64, DataSize.Unit.MEGABYTE);
    private DataSize blockCacheSize = DataSize.of(128, DataSize.Unit.MEGABYTE);
    private DataSize decodedCacheSize = DataSize.of(128, DataSize.Unit.MEGABYTE);
    private Optional<File> diskCacheDirectory = Optional.empty();
    private DataSize diskCacheSize = DataSize.of(10, DataSize.Unit.GIGABYTE);
    private DataSize deletesCacheSize = DataSize.of(32, DataSize.Unit.MEGABYTE);
    private Optional<String> kafkaServers = Optional.empty();
    private Optional<File> kafkaProperties = Optional.empty();
    private Optional<URI> redisUri = Optional.empty();
    private Duration hotStatisticsInterval = new Duration(100, TimeUnit.MILLISECONDS);
    private DataSize hotStatisticsCacheSize = DataSize.of(64, DataSize.Unit.MEGABYTE);
    private String defaultTenant = "";
    private boolean requireRecordTokens;
    private DataSize hotCacheSize = DataSize.of(256, DataSize.Unit.MEGABYTE);
    private Duration accessRulesCacheTtl = new Duration(2, TimeUnit.SECONDS);
    private Duration scanReportInterval = new Duration(10, TimeUnit.SECONDS);
    private int planningThreads = 16;
    private int s3Requests = 64;

    @NotNull
    public URI getCatalogUri() {
        return catalogUri;
    }

    @Config("cordwood.catalog-uri")
    @ConfigDescription("Address of the catalog service, as in http://127.0.0.1:8181")
    public CordwoodConfig setCatalogUri(URI catalogUri) {
        this.catalogUri = catalogUri;
        return this;
    }

    public Optional<String> getCatalogToken() {
        return catalogToken;
    }

    @Config("cordwood.catalog-token")
    @ConfigDescription("Token of the service 'query', if the catalog service requires one; better in a file")
    @ConfigSecuritySensitive
    public CordwoodConfig setCatalogToken(String catalogToken) {
        this.catalogToken = Optional.ofNullable(catalogToken);
        return this;
    }

    public Optional<@FileExists File> getCatalogTokenFile() {
        return catalogTokenFile;
    }

    @Config("cordwood.catalog-token-file")
    @ConfigDescription("File with that token, instead of cordwood.catalog-token; it is read again when it changes")
    public CordwoodConfig setCatalogTokenFile(File catalogTokenFile) {
        this.catalogTokenFile = Optional.ofNullable(catalogTokenFile);
        return this;
    }

    public Optional<@FileExists File> getCatalogCaFile() {
        return catalogCaFile;
    }

    @Config("cordwood.catalog-ca-file")
    @ConfigDescription("PEM file with the authorities that the catalog service's certificate must come from")
    public CordwoodConfig setCatalogCaFile(File catalogCaFile) {
        this.catalogCaFile = Optional.ofNullable(catalogCaFile);
        return this;
    }

    @NotEmpty
    public List<String> getStreams() {
        return streams;
    }

    @Config("cordwood.streams")
    @ConfigDescription("Comma-separated streams, which are the tables of each tenant")
    public CordwoodConfig setStreams(String streams) {
        this.streams = Splitter.on(',')
                .trimResults()
                .omitEmptyStrings()
                .splitToStream(streams)
                .map(StreamNames::checked)
                .collect(toImmutableList());
        return this;
    }

    @NotNull
    public String getColumns() {
        return columns;
    }

    @Config("cordwood.columns")
    @ConfigDescription(
            "Declared columns that all_tenants shows, as in request_log=ip:varchar,latency:bigint;logs=level:varchar")
    public CordwoodConfig setColumns(String columns) {
        this.columns = columns;
        return this;
    }

    @NotNull
    public DataSize getMetadataCacheSize() {
        return metadataCacheSize;
    }

    @Config("cordwood.metadata-cache-size")
    @ConfigDescription("Memory for table metadata files")
    public CordwoodConfig setMetadataCacheSize(DataSize metadataCacheSize) {
        this.metadataCacheSize = metadataCacheSize;
        return this;
    }

    @NotNull
    public DataSize getManifestCacheSize() {
        return manifestCacheSize;
    }

    @Config("cordwood.manifest-cache-size")
    @ConfigDescription("Memory for manifests")
    public CordwoodConfig setManifestCacheSize(DataSize manifestCacheSize) {
        this.manifestCacheSize = manifestCacheSize;
        return this;
    }

    @NotNull
    public DataSize getLogBlockCacheSize() {
        return logBlockCacheSize;
    }

    @Config("cordwood.logblock-cache-size")
    @ConfigDescription("Memory for footers and indexes of open LogBlocks")
    public CordwoodConfig setLogBlockCacheSize(DataSize logBlockCacheSize) {
        this.logBlockCacheSize = logBlockCacheSize;
        return this;
    }

    @NotNull
    public DataSize getBlockCacheSize() {
        return blockCacheSize;
    }

    @Config("cordwood.block-cache-size")
    @ConfigDescription("Memory for bytes read from LogBlocks")
    public CordwoodConfig setBlockCacheSize(DataSize blockCacheSize) {
        this.blockCacheSize = blockCacheSize;
        return this;
    }

    @NotNull
    public DataSize getDecodedCacheSize() {
        return decodedCacheSize;
    }

    @Config("cordwood.decoded-cache-size")
    @ConfigDescription("Memory for decoded column blocks of LogBlocks")
    public CordwoodConfig setDecodedCacheSize(DataSize decodedCacheSize) {
        this.decodedCacheSize = decodedCacheSize;
        return this;
    }

    public Optional<File> getDiskCacheDirectory() {
        return diskCacheDirectory;
    }

    @Config("cordwood.disk-cache-directory")
    @ConfigDescription("Directory on a local disk for blocks of object storage that the block cache evicts")
    public CordwoodConfig setDiskCacheDirectory(File diskCacheDirectory) {
        this.diskCacheDirectory = Optional.ofNullable(diskCacheDirectory);
        return this;
    }

    @NotNull
    public DataSize getDiskCacheSize() {
        return diskCacheSize;
    }

    @Config("cordwood.disk-cache-size")
    @ConfigDescription("Maximum bytes on that disk; a quarter of its free space at the start if that is less")
    public CordwoodConfig setDiskCacheSize(DataSize diskCacheSize) {
        this.diskCacheSize = diskCacheSize;
        return this;
    }

    @NotNull
    public DataSize getDeletesCacheSize() {
        return deletesCacheSize;
    }

    @Config("cordwood.deletes-cache-size")
    @ConfigDescription("Memory for contents of delete files")
    public CordwoodConfig setDeletesCacheSize(DataSize deletesCacheSize) {
        this.deletesCacheSize = deletesCacheSize;
        return this;
    }

    public Optional<String> getKafkaServers() {
        return kafkaServers;
    }

    @Config("cordwood.kafka-bootstrap-servers")
    @ConfigDescription(
            "Kafka's brokers, as in 127.0.0.1:9092; without them queries do not see rows that are still in Kafka")
    public CordwoodConfig setKafkaServers(String kafkaServers) {
        this.kafkaServers = Optional.ofNullable(kafkaServers);
        return this;
    }

    public Optional<@FileExists File> getKafkaProperties() {
        return kafkaProperties;
    }

    @Config("cordwood.kafka-properties")
    @ConfigDescription("File with further properties of Kafka's clients, such as SASL and TLS")
    public CordwoodConfig setKafkaProperties(File kafkaProperties) {
        this.kafkaProperties = Optional.ofNullable(kafkaProperties);
        return this;
    }

    public Optional<URI> getRedisUri() {
        return redisUri;
    }

    @Config("cordwood.redis-uri")
    @ConfigSecuritySensitive
    @ConfigDescription(
            "Redis to which the ingest job publishes statistics, as in redis://127.0.0.1:6379; without it queries read more from Kafka")
    public CordwoodConfig setRedisUri(URI redisUri) {
        this.redisUri = Optional.ofNullable(redisUri);
        return this;
    }

    @NotNull
    public Duration getHotStatisticsInterval() {
        return hotStatisticsInterval;
    }

    @Config("cordwood.hot-statistics-interval")
    @ConfigDescription("Maximum age of statistics of rows that are still in Kafka before they are synchronised")
    public CordwoodConfig setHotStatisticsInterval(Duration hotStatisticsInterval) {
        this.hotStatisticsInterval = hotStatisticsInterval;
        return this;
    }

    @NotNull
    public DataSize getHotStatisticsCacheSize() {
        return hotStatisticsCacheSize;
    }

    @Config("cordwood.hot-statistics-cache-size")
    @ConfigDescription("Memory for statistics of rows that are still in Kafka")
    public CordwoodConfig setHotStatisticsCacheSize(DataSize hotStatisticsCacheSize) {
        this.hotStatisticsCacheSize = hotStatisticsCacheSize;
        return this;
    }

    @NotNull
    public String getDefaultTenant() {
        return defaultTenant;
    }

    @Config("cordwood.default-tenant")
    @ConfigDescription(
            "Tenant of records without one, as configured for the ingest job; empty if such records are refused")
    public CordwoodConfig setDefaultTenant(String defaultTenant) {
        this.defaultTenant = defaultTenant;
        return this;
    }

    public boolean isRequireRecordTokens() {
        return requireRecordTokens;
    }

    @Config("cordwood.require-record-tokens")
    @ConfigDescription(
            "Whether records in Kafka without a good token for their tenant have no rows, as configured for the ingest job")
    public CordwoodConfig setRequireRecordTokens(boolean requireRecordTokens) {
        this.requireRecordTokens = requireRecordTokens;
        return this;
    }

    @NotNull
    public DataSize getHotCacheSize() {
        return hotCacheSize;
    }

    @Config("cordwood.hot-cache-size")
    @ConfigDescription("Memory for rows read from Kafka")
    public CordwoodConfig setHotCacheSize(DataSize hotCacheSize) {
        this.hotCacheSize = hotCacheSize;
        return this;
    }

    @NotNull
    public Duration getAccessRulesCacheTtl() {
        return accessRulesCacheTtl;
    }

    @Config("cordwood.access-rules-cache-ttl")
    @ConfigDescription("Maximum age of cached users and grants of the tenant registry")
    public CordwoodConfig setAccessRulesCacheTtl(Duration accessRulesCacheTtl) {
        this.accessRulesCacheTtl = accessRulesCacheTtl;
        return this;
    }

    @NotNull
    @MinDuration("1ms")
    public Duration getScanReportInterval() {
        return scanReportInterval;
    }

    @Config("cordwood.scan-report-interval")
    @ConfigDescription("Interval of reports to the catalog service of the bytes that queries have read")
    public CordwoodConfig setScanReportInterval(Duration scanReportInterval) {
        this.scanReportInterval = scanReportInterval;
        return this;
    }

    @Min(1)
    @Max(256)
    public int getPlanningThreads() {
        return planningThreads;
    }

    @Config("cordwood.planning-threads")
    @ConfigDescription("Threads that read metadata and manifests; they mostly wait for the warehouse")
    public CordwoodConfig setPlanningThreads(int planningThreads) {
        this.planningThreads = planningThreads;
        return this;
    }

    @Min(1)
    @Max(4096)
    public int getS3Requests() {
        return s3Requests;
    }

    @Config("cordwood.s3-requests")
    @ConfigDescription("Concurrent reads from the object store, each with a connection")
    public CordwoodConfig setS3Requests(int s3Requests) {
        this.s3Requests = s3Requests;
        return this;
    }

    private Map<String, String> catalogProperties() {
        Map<String, String> properties = new HashMap<>();
        catalogTokenFile.ifPresentOrElse(
                file -> properties.put(CatalogClient.TOKEN_FILE, file.toString()),
                () -> catalogToken.ifPresent(token -> properties.put(CatalogClient.TOKEN, token)));
        catalogCaFile.ifPresent(file -> properties.put(CatalogClient.CA_FILE, file.toString()));
        return properties;
    }

    /** The settings of the query module. */
    public QuerySettings querySettings() {
        return new QuerySettings(
                getCatalogUri(),
                catalogProperties(),
                getStreams(),
                getAccessRulesCacheTtl().toJavaTime(),
                getScanReportInterval().toJavaTime(),
                getPlanningThreads(),
                getS3Requests(),
                new QuerySettings.Caches(
                        getMetadataCacheSize().toBytes(),
                        getManifestCacheSize().toBytes(),
                        getDeletesCacheSize().toBytes(),
                        getLogBlockCacheSize().toBytes(),
                        getBlockCacheSize().toBytes(),
                        getDecodedCacheSize().toBytes(),
                        getDiskCacheDirectory().map(File::toPath),
                        getDiskCacheSize().toBytes()),
                new HotTierReader.Settings(
                        getKafkaServers(),
                        getKafkaProperties().map(File::toPath),
                        getRedisUri(),
                        getHotStatisticsInterval().toJavaTime(),
                        getHotStatisticsCacheSize().toBytes(),
                        getDefaultTenant(),
                        isRequireRecordTokens(),
                        getHotCacheSize().toBytes()));
    }
}
