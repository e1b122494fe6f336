package io.cordwood.trino;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.airlift.units.MinDataSize;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Properties of a catalog that uses the connector. Not thread-safe; read once, at start. */
public class CordwoodConfig {
    private URI catalogUri;
    private Optional<String> catalogToken = Optional.empty();
    private List<String> streams = List.of("logs");
    private List<String> declaredColumns = List.of();
    private DataSize metadataCacheSize = DataSize.of(64, DataSize.Unit.MEGABYTE);
    private DataSize manifestCacheSize = DataSize.of(128, DataSize.Unit.MEGABYTE);
    private DataSize logBlockCacheSize = DataSize.of(128, DataSize.Unit.MEGABYTE);
    private DataSize blockCacheSize = DataSize.of(256, DataSize.Unit.MEGABYTE);
    private Duration accessRulesCacheTtl = Duration.valueOf("2s");
    private int planningThreads = 4;

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
}
