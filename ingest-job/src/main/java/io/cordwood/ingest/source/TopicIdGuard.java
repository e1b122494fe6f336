package io.cordwood.ingest.source;

import io.cordwood.ingest.runtime.IngestException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Notices that a topic was made anew. As Kafka uses no id twice, an id that is the same now as before was the same all
 * the time. Not thread-safe.
 */
public final class TopicIdGuard {
    private final Map<String, String> ids = new HashMap<>();

    /**
     * Compares ids with those before. A topic that was not known before is known from now on.
     *
     * @throws IngestException if one has another id
     */
    public void requireSame(Map<String, String> now) {
        now.forEach((topic, id) -> {
            String before = ids.putIfAbsent(topic, id);
            if (before != null && !before.equals(id)) {
                throw new IngestException(
                        "Topic '%s' was made anew: its id was %s and is %s; restarting to read it from its beginning"
                                .formatted(topic, before, id));
            }
        });
    }

    /** Ids of the topics known, by name. */
    Map<String, String> ids() {
        return Map.copyOf(ids);
    }

    /** The id of a topic that is known. */
    String id(String topic) {
        return ids.get(topic);
    }

    /** Names of the topics known. */
    Set<String> topics() {
        return Set.copyOf(ids.keySet());
    }
}
