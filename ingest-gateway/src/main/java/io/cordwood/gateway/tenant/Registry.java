package io.cordwood.gateway.tenant;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.cordwood.catalog.tenant.Tenant;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** The tenants that the catalog service knows, each asked for when it sends, and again at intervals. Thread-safe. */
final class Registry {
    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final Duration MAX_AGE = Duration.ofMinutes(5);
    private static final int KEPT = 100_000;

    private final LoadingCache<String, Optional<Tenant>> tenants;

    /** @param source asks the catalog service for a tenant, and throws if there is no answer */
    Registry(Function<String, Optional<Tenant>> source) {
        tenants = Caffeine.newBuilder()
                .maximumSize(KEPT)
                .refreshAfterWrite(FRESH)
                .expireAfterWrite(MAX_AGE)
                .build(source::apply);
    }

    /** The tenant; empty if it is not registered. Throws what the source throws. */
    Optional<Tenant> tenant(String id) {
        return tenants.get(id);
    }
}
