package io.cordwood.standalone.service;

import java.util.HashSet;
import java.util.Set;

/** The services of a stack that it may have from elsewhere. Stateless. */
final class OwnServices {
    private OwnServices() {}

    /** Those of Kafka, Redis and the catalog that run in this stack: its other services wait for them. */
    static Set<String> of(StackOptions options) {
        Set<String> own = new HashSet<>();
        if (options.kafka().isEmpty()) {
            own.add(KafkaService.NAME);
        }
        if (options.redis().isEmpty()) {
            own.add(RedisService.NAME);
        }
        if (options.catalog().isEmpty()) {
            own.add(CatalogService.NAME);
        }
        return Set.copyOf(own);
    }
}
