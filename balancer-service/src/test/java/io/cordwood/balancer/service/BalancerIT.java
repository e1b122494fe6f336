package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;

/** What balancers do and answer. */
@Timeout(180)
class BalancerIT extends RealBalancers {
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void stopAsking() {
        http.close();
    }

    private JsonNode get(URI balancer, String path) throws Exception {
        return JSON.readTree(text(HttpRequest.newBuilder(balancer.resolve(path)).build(), 200));
    }

    private String text(HttpRequest request, int status) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        return response.body();
    }

    private JsonNode await(URI balancer, String path, Predicate<JsonNode> condition) throws Exception {
        AtomicReference<JsonNode> answer = new AtomicReference<>();
        Waiting.until("%s is as expected".formatted(path), () -> {
            answer.set(get(balancer, path));
            return condition.test(answer.get());
        });
        return answer.get();
    }

    private static Predicate<JsonNode> version(long version) {
        return answer -> answer.path("version").asLong() == version;
    }

    @Test
    void aHotSpotIsSpreadAndTheNextLeaderGoesOnWithTheTable() throws Exception {
        URI first = balancer();
        report(100_000);
        JsonNode calm = await(first, "/api/routes", version(1));
        assertThat(calm.path("routes").path("acme")).hasSize(1);
        assertThat(calm.path("routes").path("acme").path(0).path("partition").asInt())
                .isEqualTo(ACME);

        report(2_500_000);
        JsonNode spread = await(first, "/api/routes", version(2));
        assertThat(spread.path("routes").path("acme")).hasSizeGreaterThan(2);
        JsonNode history = get(first, "/api/history");
        assertThat(history.path(0).path("reason").asText()).startsWith("hot: partition " + ACME);
        assertThat(history.path(0).path("utilisationAfter").asDouble()).isLessThan(1);

        URI second = balancer();
        await(second, "/api/load", answer -> answer.path("version").asLong() == 2);
        assertThat(get(second, "/api/load").path("leader").asBoolean()).isFalse();
        processes.getFirst().destroyForcibly().waitFor();
        await(second, "/api/load", answer -> answer.path("leader").asBoolean());
        assertThat(get(second, "/api/routes")).isEqualTo(spread);

        // The new leader writes the next version of the same epoch.
        report(3_800_000);
        JsonNode third = await(second, "/api/routes", version(3));
        assertThat(third.path("epoch")).isEqualTo(spread.path("epoch"));

        // Redis loses its data: versions begin anew, in another epoch.
        try (Jedis jedis = new Jedis(URI.create(redis.url()))) {
            jedis.flushAll();
        }
        report(100_000);
        JsonNode anew = await(
                second,
                "/api/routes",
                answer -> !answer.path("epoch").asText().isEmpty()
                        && !answer.path("epoch").equals(spread.path("epoch")));
        assertThat(anew.path("version").asLong()).isEqualTo(1);
    }

    @Test
    void routesToPartitionsThatDoNotExistAreReplaced() throws Exception {
        try (Jedis jedis = new Jedis(URI.create(redis.url()))) {
            jedis.set(
                    "cordwood:routes:logs",
                    "{\"version\":7,\"stream\":\"logs\",\"routes\":{\"acme\":[{\"partition\":99,\"weight\":1.0}]}}");
        }
        report(100_000);
        URI balancer = balancer();
        JsonNode table = await(balancer, "/api/routes", version(8));
        assertThat(table.path("routes").path("acme").path(0).path("partition").asInt())
                .isLessThan(PARTITIONS);
    }

    @Test
    void oneWhoIsNotLeaderAnyMoreCannotWrite() throws Exception {
        URI first = balancer();
        report(100_000);
        await(first, "/api/routes", version(1));
        try (Jedis jedis = new Jedis(URI.create(redis.url()))) {
            // As if another had taken over while the first was away.
            jedis.set(BalancerStore.LEASE, "another#99");
            await(first, "/api/load", answer -> !answer.path("leader").asBoolean());
            report(2_500_000);
            await(
                    first,
                    "/api/load",
                    answer -> answer.path("partitions").path(ACME).path("hot").asBoolean());
            assertThat(get(first, "/api/routes").path("version").asLong()).isEqualTo(1);
            jedis.del(BalancerStore.LEASE);
        }
        await(first, "/api/routes", version(2));
    }

    @Test
    void whatDoesNotFitIsScaledAndHeldToItsShareUntilItFits() throws Exception {
        URI balancer = balancer("--quotas", "true", "--max-partitions", "10");
        report(20_000_000);
        // Two workers of 4 MB/s below a watermark of 0.85.
        JsonNode plan = post(balancer, "");
        assertThat(plan.path("bound").asDouble()).isEqualTo(6_800_000);
        assertThat(plan.path("scale").path("workers").asInt()).isEqualTo(4);
        try (Admin admin = admin()) {
            Waiting.until("there are ten partitions", () -> partitions(admin) == 10);
            double quota = awaitQuota(true);
            assertThat(quota).isBetween(6_700_000.0, 6_800_000.0);
            // Held back, it is seen to send what fits. That it does is no reason to let go of it.
            report(6_000_000);
            await(balancer, "/api/load", answer -> acmeBytes(answer) < 7_000_000);
            awaitRounds(balancer, 5);
            assertThat(awaitQuota(true)).isBetween(6_700_000.0, 6_800_000.0);
            report(100_000);
            awaitQuota(false);
        }
    }

    @Test
    void quotasThatRedisForgetsAreReleasedAllTheSame() throws Exception {
        URI balancer = balancer("--quotas", "true");
        report(20_000_000);
        assertThat(awaitQuota(true)).isGreaterThan(6_000_000);
        try (Jedis jedis = new Jedis(URI.create(redis.url()))) {
            jedis.flushAll();
        }
        report(100_000);
        awaitQuota(false);
        await(balancer, "/api/load", answer -> answer.path("leader").asBoolean());
    }

    @Test
    void whoIsHeldOnlyTheLeaderSays() {
        try (RedisClient client = RedisClient.create(URI.create(redis.url()))) {
            BalancerStore store = new BalancerStore(client);
            client.set(BalancerStore.LEASE, "first#1");
            Map<String, Double> both = Map.of("acme", 1.5, "other", 2.0);
            assertThat(store.hold("logs", Map.of(), both, "first#1")).isTrue();
            assertThat(store.held("logs")).isEqualTo(both);
            Map<String, Double> acme = Map.of("acme", 2.5);
            assertThat(store.hold("logs", both, acme, "first#1")).isTrue();
            assertThat(store.hold("logs", acme, acme, "first#1")).isTrue();
            client.set(BalancerStore.LEASE, "second#2");
            assertThat(store.hold("logs", acme, acme, "first#1")).isFalse();
            assertThat(store.hold("logs", acme, Map.of(), "first#1")).isFalse();
            assertThat(store.held("logs")).isEqualTo(acme);
        }
    }

    private static double acmeBytes(JsonNode load) {
        return load.path("tenants")
                .valueStream()
                .filter(tenant -> tenant.path("tenant").asText().equals("acme"))
                .mapToDouble(tenant -> tenant.path("bytes_per_second").asDouble())
                .sum();
    }

    /** Waits for so many more rounds. */
    private void awaitRounds(URI balancer, int rounds) throws Exception {
        for (int round = 0; round < rounds; round++) {
            long at = get(balancer, "/api/load").path("at").asLong();
            await(balancer, "/api/load", answer -> answer.path("at").asLong() > at);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void quotasAreWholeBytes(boolean users) throws Exception {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", kafka.address());
        try (KafkaView view = new KafkaView(properties, "cordwood-ingest", Duration.ofSeconds(15), users);
                Admin admin = Admin.create(properties)) {
            view.alterQuotas(Map.of("large", 1234.5, "small", 0.5), List.of());
            Waiting.until("both quotas are set", () -> view.quotas().size() == 2);
            assertThat(view.quotas()).isEqualTo(Map.of("large", 1234.0, "small", 1.0));
            assertThat(admin.describeClientQuotas(ClientQuotaFilter.all())
                            .entities()
                            .get()
                            .keySet())
                    .as("where clients log in, a quota of a client id alone is weaker than that of all users")
                    .allMatch(entity -> entity.entries().containsKey(ClientQuotaEntity.USER) == users);
            // More than one request takes.
            Map<String, Double> many = new HashMap<>();
            IntStream.range(0, 1_100).forEach(tenant -> many.put("tenant-" + tenant, 7.0));
            view.alterQuotas(many, List.of("large", "small"));
            Waiting.until("all quotas are set", () -> view.quotas().equals(many));
            view.alterQuotas(Map.of(), List.copyOf(many.keySet()));
            Waiting.until("no quotas are left", () -> view.quotas().isEmpty());
            assertThat(view.storedBytes("logs")).hasSize(PARTITIONS);
            assertThat(view.disks())
                    .singleElement()
                    .satisfies(
                            disk -> assertThat(disk.usableBytes()).isPositive().isLessThan(disk.totalBytes()));
        }
    }

    private static int partitions(Admin admin) throws Exception {
        return admin.describeTopics(List.of("logs"))
                .topicNameValues()
                .get("logs")
                .get()
                .partitions()
                .size();
    }

    private double awaitQuota(boolean there) throws Exception {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", kafka.address());
        try (KafkaView view = new KafkaView(properties, "cordwood-ingest")) {
            AtomicReference<Map<String, Double>> quotas = new AtomicReference<>();
            Waiting.until(there ? "acme has a quota" : "acme has no quota", () -> {
                quotas.set(view.quotas());
                return quotas.get().containsKey("acme") == there;
            });
            return quotas.get().getOrDefault("acme", 0.0);
        }
    }

    private JsonNode post(URI balancer, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(balancer.resolve("/api/plan"))
                .POST(BodyPublishers.ofString(body))
                .build();
        await(balancer, "/api/load", answer -> answer.path("tenants").size() == PARTITIONS + 1);
        return JSON.readTree(text(request, 200));
    }

    @Test
    void answersOverHttp() throws Exception {
        URI balancer = balancer();
        report(100_000);
        await(balancer, "/api/routes", version(1));
        JsonNode load = get(balancer, "/api/load");
        assertThat(load.path("tenants")).hasSize(PARTITIONS + 1);
        assertThat(load.path("partitions")).hasSize(PARTITIONS);
        assertThat(load.path("workers")).hasSize(2);
        assertThat(load.path("tenants").path(0).path("bytes_per_second").asDouble())
                .isEqualTo(100_000);

        // A dry run changes nothing.
        JsonNode plan = post(balancer, "{\"demands\":{\"acme\":3000000}}");
        assertThat(plan.path("tenants").path(0).path("tenant").asText()).isEqualTo("acme");
        assertThat(plan.path("tenants").path(0).path("decision").asText()).isEqualTo("split");
        assertThat(plan.path("tenants").path(0).path("reason").asText()).startsWith("acme has");
        assertThat(get(balancer, "/api/routes").path("version").asLong()).isEqualTo(1);

        // A lease that ends while the machine is busy is taken again.
        Waiting.until("it leads", () -> metrics(balancer).contains("cordwood_balancer_leader 1.0"));
        assertThat(metrics(balancer))
                .contains("cordwood_balancer_table_version{stream=\"logs\"} 1.0")
                .contains("cordwood_balancer_tenant_bytes_per_second{stream=\"logs\",tenant=\"acme\"} ")
                .contains("cordwood_balancer_partition_lag_records{partition=\"0\",stream=\"logs\"} ")
                .contains("cordwood_balancer_worker_busy{stream=\"logs\",worker=\"0\"} ");
        Waiting.until(
                "it knows Kafka's disk",
                () -> metrics(balancer).contains("cordwood_balancer_broker_disk_usable_bytes{broker="));
        assertThat(text(HttpRequest.newBuilder(balancer.resolve("/")).build(), 200))
                .contains("<svg");
        assertThat(text(HttpRequest.newBuilder(balancer.resolve("/nothing")).build(), 404))
                .contains("there is no /nothing");
        assertThat(text(HttpRequest.newBuilder(balancer.resolve("/api/plan")).build(), 405))
                .contains("takes POST");
        assertThat(text(
                        HttpRequest.newBuilder(balancer.resolve("/api/load?stream=none"))
                                .build(),
                        404))
                .contains("there is no stream none");
        assertThat(text(
                        HttpRequest.newBuilder(balancer.resolve("/api/plan"))
                                .POST(BodyPublishers.ofString("rubbish"))
                                .build(),
                        400))
                .contains("not a plan request");
    }

    private String metrics(URI balancer) throws IOException, InterruptedException {
        return text(HttpRequest.newBuilder(balancer.resolve("/metrics")).build(), 200);
    }
}
