package io.cordwood.balancer.service;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.balancer.plan.KeyHash;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import redis.clients.jedis.Jedis;

/**
 * Balancers as processes of their own, on a real Kafka and a real Redis; what the ingest job reports is written here.
 */
abstract class RealBalancers {
    static final ObjectMapper JSON = new ObjectMapper();
    static final int PARTITIONS = 8;
    static final int ACME = KeyHash.partition("acme", PARTITIONS);

    final List<Process> processes = new ArrayList<>();
    static Service kafka;
    static Service redis;

    @BeforeAll
    static void startServices() throws Exception {
        kafka = TestServices.kafka();
        redis = TestServices.redis();
    }

    @AfterAll
    static void stopServices() throws Exception {
        redis.close();
        kafka.close();
    }

    @BeforeEach
    void createTopic() throws Exception {
        try (Admin admin = admin()) {
            KafkaTopics.create(admin, new NewTopic("logs", Optional.of(PARTITIONS), Optional.empty()));
        }
    }

    @AfterEach
    void stopBalancers() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        try (Jedis jedis = new Jedis(URI.create(redis.url()))) {
            jedis.flushAll();
        }
        removeQuotas();
        try (Admin admin = admin()) {
            admin.deleteTopics(List.of("logs")).all().get();
        }
    }

    private static void removeQuotas() throws Exception {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", kafka.address());
        try (KafkaView view = new KafkaView(properties, "cordwood-ingest")) {
            List<String> clients = List.copyOf(view.quotas().keySet());
            view.alterQuotas(Map.of(), clients);
            Waiting.until("there are no quotas", () -> view.quotas().isEmpty());
        }
    }

    static Admin admin() {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", kafka.address());
        return Admin.create(properties);
    }

    /** Starts a balancer and returns its address. */
    URI balancer(String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Balancer.class.getName(),
                "--bootstrap-servers",
                kafka.address(),
                "--redis",
                redis.url(),
                "--interval-ms",
                "100",
                "--lease-ms",
                "5000",
                "--window-ms",
                "1",
                "--stale-ms",
                "1000000000",
                "--partition-capacity",
                "1000000",
                "--worker-capacity",
                "4000000"));
        command.addAll(Arrays.asList(more));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        processes.add(process);
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("balancer: listening on ")) {
                Thread drain = new Thread(() -> output.lines().forEach(System.out::println), "balancer output");
                drain.setDaemon(true);
                drain.start();
                return URI.create(line.substring("balancer: listening on ".length()));
            }
        }
        throw new IOException("the balancer ended instead of answering");
    }

    /**
     * Writes what the job would: acme sends so many bytes a second, small tenants a little each.
     *
     * @param others tenants that send a little through acme's partition
     */
    void report(long acmeBytes, String... others) {
        Map<String, String> reports = new HashMap<>();
        try (Jedis jedis = new Jedis(URI.create(redis.url()))) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                long now = System.currentTimeMillis();
                ObjectNode report = JSON.createObjectNode()
                        .put("partition", partition)
                        .put("worker", Integer.toString(partition % 2))
                        .put("from", now)
                        .put("to", now + 1_000)
                        .put("records", 100);
                ObjectNode tenants = report.putObject("tenants");
                tenants.putArray("small-" + partition).add(10).add(1_000);
                if (partition == ACME) {
                    tenants.putArray("acme").add(acmeBytes / 100).add(acmeBytes);
                    for (String other : others) {
                        tenants.putArray(other).add(10).add(2_000);
                    }
                }
                reports.put(Integer.toString(partition), report.toString());
            }
            // All at once: a balancer may read at any time
            jedis.hset("cordwood:traffic:logs", reports);
        }
    }
}
