package io.cordwood.gateway.tenant;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.gateway.pipeline.TenantPipeline;
import java.time.Duration;
import java.util.Optional;

/** The tenants that the catalog service knows, each asked for when it sends, and again at intervals. Thread-safe. */
final class Registry {
    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final Duration MAX_AGE = Duration.ofMinutes(5);
    /** Without the service the last pipeline stays: rows that went through it must not pass by it. */
    private static final Duration MAX_UNUSED = Duration.ofHours(1);

    private static final int KEPT = 100_000;

    private final LoadingCache<String, Optional<Tenant>> tenants;
    private final LoadingCache<String, Optional<TenantPipeline>> pipelines;

    Registry(TenantSource source) {
        tenants = Caffeine.newBuilder()
                .maximumSize(KEPT)
                .refreshAfterWrite(FRESH)
                .expireAfterWrite(MAX_AGE)
                .build(source::tenant);
        pipelines = Caffeine.newBuilder()
                .maximumSize(KEPT)
                .refreshAfterWrite(FRESH)
                .expireAfterAccess(MAX_UNUSED)
                .build(id -> source.pipeline(id).map(TenantPipeline::new));
    }

    /** The tenant; empty if it is not registered. Throws what the source throws. */
    Optional<Tenant> tenant(String id) {
        return tenants.get(id);
    }

    /** The tenant's pipeline; empty if it has none. Throws what the source throws. */
    Optional<TenantPipeline> pipeline(String id) {
        return pipelines.get(id);
    }
}
