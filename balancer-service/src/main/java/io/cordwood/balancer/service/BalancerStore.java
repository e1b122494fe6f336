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
 * What the balancer reads and keeps in Redis besides routing tables: reports of the ingest job (hash {@code
 * cordwood:traffic:<stream>}), the history of tables (list {@code cordwood:balancer:history:<stream>}) and which
 * tenants it holds back (hash {@code cordwood:balancer:held:<stream>}). Thread-safe.
 */
final class BalancerStore {
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
                LOG.warn(
                        "The report of partition {} of stream '{}' cannot be read and is left out",
                        partition,
                        stream,
                        e);
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
                LOG.warn("A line of the history of stream '{}' cannot be read and is left out", stream, e);
            }
        }
        return history;
    }

    void remember(String stream, TableVersion version) {
        try {
            client.lpush(HISTORY + stream, JSON.writeValueAsString(version));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A version cannot be written as JSON", e);
        }
        client.ltrim(HISTORY + stream, 0, HISTORY_LENGTH - 1);
    }

    /** Tenants whose quotas a balancer has set, and the most that each was seen to want, bytes of values per second. */
    Map<String, Double> held(String stream) {
        Map<String, Double> held = new HashMap<>();
        client.hgetAll(HELD + stream).forEach((tenant, wanted) -> {
            try {
                held.put(tenant, Double.parseDouble(wanted));
            } catch (NumberFormatException e) {
                LOG.warn("What tenant '{}' wants cannot be read: '{}'", tenant, wanted, e);
                held.put(tenant, 0.0);
            }
        });
        return held;
    }

    /**
     * Remembers these as the tenants that are held, and no others, if the lease is still held. Only what differs is
     * written.
     *
     * @param before what is remembered, as {@link #held}
     * @param holder what stands in Redis while the lease is held
     * @return whether it was
     */
    boolean hold(String stream, Map<String, Double> before, Map<String, Double> held, String holder) {
        List<String> arguments = new ArrayList<>(List.of(holder));
        held.forEach((tenant, wanted) -> {
            if (!wanted.equals(before.get(tenant))) {
                arguments.add(tenant);
                arguments.add(Double.toString(wanted));
            }
        });
        before.keySet().stream().filter(tenant -> !held.containsKey(tenant)).forEach(tenant -> {
            arguments.add(tenant);
            arguments.add("");
        });
        return client.eval(HOLD, List.of(Lease.KEY, HELD + stream), arguments).equals(1L);
    }
}
