package io.cordwood.query.cache;

import com.google.common.base.Throwables;
import com.google.common.cache.Cache;
import com.google.common.util.concurrent.UncheckedExecutionException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/** Loads values into caches that queries share. Stateless. */
public final class SharedCaches {
    private SharedCaches() {}

    /**
     * The cached value, loaded if there is none. A query that ends while it loads is interrupted, and its load fails
     * for all queries that wait for it; they load the value again.
     */
    public static <K, V> V get(Cache<K, V> cache, K key, Callable<V> loader) throws ExecutionException {
        try {
            return cache.get(key, loader);
        } catch (ExecutionException | UncheckedExecutionException e) {
            boolean isInterrupted = Throwables.getCausalChain(e).stream()
                    .anyMatch(cause -> cause instanceof ClosedByInterruptException);
            if (!isInterrupted || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return cache.get(key, loader);
        }
    }
}
