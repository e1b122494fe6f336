package io.cordwood.balancer.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.common.utils.Utils;

/** The partition of a tenant without a routing table: Kafka's murmur2 hash of the key. */
public final class KeyHash {
    private KeyHash() {}

    /** The partition of a tenant, from 0. */
    public static int partition(String tenant, int partitionCount) {
        return Utils.toPositive(Utils.murmur2(tenant.getBytes(UTF_8))) % partitionCount;
    }
}
