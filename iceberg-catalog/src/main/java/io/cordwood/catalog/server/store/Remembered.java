package io.cordwood.catalog.server.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A map of bounded size that forgets what was used longest ago. Thread-safe. */
public final class Remembered<K, V> {
    private final Map<K, V> entries;

    /** @param limit the largest number of entries */
    public Remembered(int limit) {
        entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > limit;
            }
        };
    }

    /** The value; empty if it is not remembered. */
    public synchronized Optional<V> get(K key) {
        return Optional.ofNullable(entries.get(key));
    }

    /** Remembers a value. */
    public synchronized void put(K key, V value) {
        entries.put(key, value);
    }
}
