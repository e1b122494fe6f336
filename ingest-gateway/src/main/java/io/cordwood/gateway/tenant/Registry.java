package io.cordwood.gateway.tenant;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.gateway.pipeline.TenantPipeline;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tenants that the catalog service knows, each asked for when it sends, and again at intervals. Thread-safe. */
final class Registry {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final Duration MAX_AGE = Duration.ofMinutes(5);
    /** Without the service the last pipeline stays: rows that went through it must not pass by it. */
    private static final Duration MAX_UNUSED = Duration.ofHours(1);

    private static final int KEPT = 100_000;

    private final LoadingCache<String, Optional<Tenant>> tenants;
    private final TenantSource source;
    private final Cache<String, Known> pipelines;

    /** A pipeline, and when the service was last asked for it, in nanoseconds. */
    private record Known(Optional<TenantPipeline> pipeline, long asked) {
        boolean isFresh() {
            return System.nanoTime() - asked < FRESH.toNanos();
        }
    }

    Registry(TenantSource source) {
        tenants = Caffeine.newBuilder()
                .maximumSize(KEPT)
                .refreshAfterWrite(FRESH)
                .expireAfterWrite(MAX_AGE)
                .build(source::tenant);
        this.source = source;
        pipelines = Caffeine.newBuilder()
                .maximumSize(KEPT)
                .expireAfterAccess(MAX_UNUSED)
                .build();
    }

    /** The tenant; empty if it is not registered. Throws what the source throws. */
    Optional<Tenant> tenant(String id) {
        return tenants.get(id);
    }

    /**
     * The tenant's pipeline; empty if it has none. A change holds after {@link #FRESH}, for the first request too.
     * Throws what the source throws, if it is not known at all.
     */
    Optional<TenantPipeline> pipeline(String id) {
        Known known = pipelines.getIfPresent(id);
        if (known == null || !known.isFresh()) {
            known = pipelines.asMap().compute(id, (any, before) -> asked(id, Optional.ofNullable(before)));
        }
        return known.pipeline();
    }

    private Known asked(String id, Optional<Known> before) {
        if (before.isPresent() && before.get().isFresh()) {
            return before.get();
        }
        try {
            return new Known(source.pipeline(id).map(TenantPipeline::new), System.nanoTime());
        } catch (RuntimeException e) {
            if (before.isEmpty()) {
                throw e;
            }
            LOG.warn("The pipeline of tenant {} may have changed: the catalog service does not answer", id, e);
            return new Known(before.get().pipeline(), System.nanoTime());
        }
    }
}
