package io.cordwood.balancer.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.RedisClient;

/**
 * The balancer's data in Redis besides routing tables: reports of the ingest job (hash {@code
 * cordwood:traffic:<stream>}), the history of tables (list {@code cordwood:balancer:history:<stream>}) and throttled
 * tenants (hash {@code cordwood:balancer:held:<stream>}). Thread-safe.
 */
final class BalancerStore {
    /** Key of the lease of the balancer that leads. */
    static final String LEASE = "cordwood:balancer:lease";
    /** Key of the counter of its acquisitions. */
    static final String FENCE = "cordwood:balancer:fence";

    private static final Logger LOG = LoggerFactory.getLogger(BalancerStore.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TRAFFIC = "cordwood:traffic:";
    private static final String HISTORY = "cordwood:balancer:history:";
    private static final String HELD = "cordwood:balancer:held:";
    private static final int HISTORY_LENGTH = 200;

    private static final String HOLD = """
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then
              return 0
            end
            for i = 2, #ARGV, 2 do
              if ARGV[i + 1] == '' then
                redis.call('HDEL', KEYS[2], ARGV[i])
              else
                redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
              end
            end
            return 1
            """;

    private final RedisClient client;

    BalancerStore(RedisClient client) {
        this.client = client;
    }

    List<PartitionReport> reports(String stream) {
        List<PartitionReport> reports = new ArrayList<>();
        client.hgetAll(TRAFFIC + stream).forEach((partition, text) -> {
            try {
                reports.add(PartitionReport.parse(text));
            } catch (IllegalArgumentException e) {
                LOG.warn("Cannot read the report of partition {} of stream '{}'; it is ignored", partition, stream, e);
            }
        });
        return reports;
    }

    /** The newest versions, newest first. */
    List<TableVersion> history(String stream) {
        List<TableVersion> history = new ArrayList<>();
        for (String line : client.lrange(HISTORY + stream, 0, HISTORY_LENGTH - 1)) {
            try {
                history.add(JSON.readValue(line, TableVersion.class));
            } catch (JsonProcessingException e) {
                LOG.warn("Cannot read a line of the history of stream '{}'; it is ignored", stream, e);
            }
        }
        return history;
    }

    void remember(String stream, TableVersion version) {
        try {
            client.lpush(HISTORY + stream, JSON.writeValueAsString(version));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Cannot write a version as JSON", e);
        }
        client.ltrim(HISTORY + stream, 0, HISTORY_LENGTH - 1);
    }

    /** Tenants whose quotas a balancer has set, each with its highest observed demand, bytes of values per second. */
    Map<String, Double> held(String stream) {
        Map<String, Double> held = new HashMap<>();
        client.hgetAll(HELD + stream).forEach((tenant, demand) -> {
            try {
                held.put(tenant, Double.parseDouble(demand));
            } catch (NumberFormatException e) {
                LOG.warn("Cannot read the demand of tenant '{}': '{}'", tenant, demand, e);
                held.put(tenant, 0.0);
            }
        });
        return held;
    }

    /**
     * Stores exactly these as the throttled tenants, if the lease is still held. Writes only the differences.
     *
     * @param before the stored tenants, as {@link #held} returns them
     * @param holder the lease's value in Redis while it is held
     * @return whether the lease was held
     */
    boolean hold(String stream, Map<String, Double> before, Map<String, Double> held, String holder) {
        List<String> arguments = new ArrayList<>(List.of(holder));
        held.forEach((tenant, demand) -> {
            if (!demand.equals(before.get(tenant))) {
                arguments.add(tenant);
                arguments.add(Double.toString(demand));
            }
        });
        before.keySet().stream().filter(tenant -> !held.containsKey(tenant)).forEach(tenant -> {
            arguments.add(tenant);
            arguments.add("");
        });
        return client.eval(HOLD, List.of(LEASE, HELD + stream), arguments).equals(1L);
    }
}
