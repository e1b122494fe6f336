package io.cordwood.ingest.source;

import io.cordwood.ingest.runtime.IngestException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Detects recreated topics. Kafka never reuses an id, so an id that is the same now as before was the same all the
 * time. Not thread-safe.
 */
public final class TopicIdGuard {
    private final Map<String, String> ids = new HashMap<>();

    /**
     * Compares ids with earlier ones. A topic that was unknown before is known from now on.
     *
     * @throws IngestException if a topic has another id
     */
    public void requireSame(Map<String, String> now) {
        now.forEach((topic, id) -> {
            String before = ids.putIfAbsent(topic, id);
            if (before != null && !before.equals(id)) {
                throw new IngestException(
                        "Topic '%s' was recreated: its id was %s and is now %s; restarting to read it from its beginning"
                                .formatted(topic, before, id));
            }
        });
    }

    /** The id of a known topic. */
    String id(String topic) {
        String id = ids.get(topic);
        if (id == null) {
            throw new IllegalStateException("The id of topic '%s' is not known".formatted(topic));
        }
        return id;
    }

    /** Names of the known topics. */
    Set<String> topics() {
        return Set.copyOf(ids.keySet());
    }
}
