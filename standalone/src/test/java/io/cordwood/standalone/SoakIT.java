package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.Waiting;
import io.cordwood.standalone.deploy.Compose;
import io.cordwood.standalone.deploy.RunningContainer;
import io.cordwood.standalone.deploy.UseOverTime;
import io.cordwood.standalone.deploy.UseOverTime.Resource;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An hour of steady load on the containers of {@code docker/compose.yaml}: at its end they have no more living objects,
 * threads, handles and files than when they had warmed up, and every row is there once.
 */
@Tag("slow")
@Timeout(value = 150, unit = TimeUnit.MINUTES)
final class SoakIT {
    /** Minutes of load; the environment may say less, but not so little that there are no quarters. */
    private static final int MINUTES =
            Math.max(4, Integer.parseInt(System.getenv().getOrDefault("CORDWOOD_SOAK_MINUTES", "60")));

    /** All services together take a quarter of two cores for it. */
    private static final int ROWS_PER_SECOND_AND_TENANT = 1000;

    /** JVMs still warm up in a shorter run. */
    private static final int MINUTES_UNTIL_FLAT = 40;

    private static final double WARM_UP_SHARE = 0.4;
    /** Megabytes of living objects: a merge or a query may be under way. */
    private static final long LEAST_GROWTH = 100;

    private static final Duration SAMPLE_EVERY = Duration.ofSeconds(30);
    /** Files are what these are there for. */
    private static final Set<String> STORES = Set.of("broker", "postgres", "s3");

    private final Path results = Program.root().resolve("target/containers");

    @Test
    void anHourOfLoadLeavesNothingBehind(@TempDir Path directory) throws Exception {
        Compose compose = Compose.build(Program.root(), results, Compose.WITH_WORKERS);
        try {
            compose.run("down", "--volumes");
            compose.run("up", "--detach", "--wait");
            Home home = new Home(directory.resolve("lake"));
            home.create();
            soak(compose, home);
        } finally {
            try {
                compose.runTo(results.resolve("containers.log"), "logs", "--no-color");
            } finally {
                compose.remove();
            }
        }
    }

    private void soak(Compose compose, Home home) throws Exception {
        Endpoints endpoints = OperatorHome.enter(compose, home);
        Program cordwood = new Program(home.directory());
        cordwood.callOk("user", "add", "ann");
        for (String tenant : List.of(SoakLoad.KAFKA_TENANT, SoakLoad.GATEWAY_TENANT)) {
            cordwood.callOk("tenant", "set", tenant, "--quota", "0");
            cordwood.callOk("user", "grant", "ann", "--tenant", tenant, "--role", "reader,writer");
        }
        Properties kafka = new Properties();
        kafka.load(new StringReader(cordwood.callOk("user", "kafka-login", "ann")));
        String token = cordwood.callOk("token", "create", "--user", "ann").strip();
        String recordToken = cordwood.callOk(
                        "token", "create", "--user", "ann", "--tenant", SoakLoad.KAFKA_TENANT, "--for", "records")
                .strip();
        try (SoakLoad load =
                new SoakLoad(endpoints, kafka, OperatorHome.authorities(home), "ann", token, recordToken)) {
            load.shipFirstRows();
            Waiting.until(
                    "both tables are there",
                    () -> rows(load, SoakLoad.KAFKA_TENANT) == 1 && rows(load, SoakLoad.GATEWAY_TENANT) == 1);
            load.follow();
            List<RunningContainer> containers = compose.running();
            load.begin(ROWS_PER_SECOND_AND_TENANT);
            UseOverTime use = new UseOverTime();
            sample(containers, use, WARM_UP_SHARE * MINUTES);
            Map<String, Long> early = liveHeaps(containers);
            sample(containers, use, (1 - WARM_UP_SHARE) * MINUTES);
            Map<String, Long> late = liveHeaps(containers);
            Files.writeString(results.resolve("soak.svg"), use.svg());
            System.out.printf("%s%nliving objects, MB: %s%n                to: %s%n", use.table(), early, late);
            load.stopShipping();
            System.out.printf(
                    "%d rows through Kafka, %d through the gateway, %d of these followed; %d SQL queries, %d searches;"
                            + " %d failures %s%n",
                    load.throughKafka(),
                    load.throughGateway(),
                    load.tailed(),
                    load.queries(),
                    load.searches(),
                    load.failures(),
                    load.firstFailures());
            assertThat(load.firstFailures()).isEmpty();
            assertThat(Math.min(load.throughKafka(), load.throughGateway()))
                    .as("the load was there")
                    .isGreaterThan(MINUTES * 60L * ROWS_PER_SECOND_AND_TENANT * 9 / 10);
            assertThat(load.queries()).isGreaterThan(MINUTES * 60L / 2);
            assertEachRowOnce(load, SoakLoad.KAFKA_TENANT, load.throughKafka());
            assertEachRowOnce(load, SoakLoad.GATEWAY_TENANT, load.throughGateway());
            Waiting.until("the tail has all rows", () -> load.tailed() >= load.throughGateway() - 1);
            assertThat(load.tailed()).isEqualTo(load.throughGateway() - 1);
            assertThat(compose.running()).as("none has started again").isEqualTo(containers);
            if (MINUTES >= MINUTES_UNTIL_FLAT) {
                assertThat(growth(use)).isEmpty();
                early.forEach((service, megabytes) ->
                        assertThat(late.get(service)).as(service).isLessThan(megabytes * 5 / 4 + LEAST_GROWTH));
            }
        }
    }

    private static void sample(List<RunningContainer> containers, UseOverTime use, double minutes) throws Exception {
        long end = System.nanoTime() + (long) (minutes * Duration.ofMinutes(1).toNanos());
        for (long due = System.nanoTime(); due < end; due += SAMPLE_EVERY.toNanos()) {
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            for (RunningContainer container : containers) {
                use.add(container.service(), container.use());
            }
        }
    }

    /** Megabytes by service. */
    private static Map<String, Long> liveHeaps(List<RunningContainer> containers) throws Exception {
        Map<String, Long> heaps = new TreeMap<>();
        for (RunningContainer container : containers) {
            OptionalLong live = container.liveHeap();
            if (live.isPresent()) {
                heaps.put(container.service(), live.getAsLong() / 1_000_000);
            }
        }
        return heaps;
    }

    private static List<String> growth(UseOverTime use) {
        List<String> growth = new ArrayList<>();
        for (String service : use.services()) {
            for (Resource resource : Resource.values()) {
                // A JVM takes the memory of its heap before it collects what is old
                if (resource != Resource.MEMORY && (resource != Resource.FILES || !STORES.contains(service))) {
                    growth.addAll(use.growth(service, resource));
                }
            }
        }
        return growth;
    }

    private static long rows(SoakLoad load, String tenant) {
        try {
            return load.select("count(*) FROM cordwood.%s.logs".formatted(tenant));
        } catch (SQLException e) {
            // A table begins with its first row
            return -1;
        }
    }

    private static void assertEachRowOnce(SoakLoad load, String tenant, long shipped) throws Exception {
        Waiting.until("all %d rows of %s are found".formatted(shipped, tenant), () -> rows(load, tenant) >= shipped);
        assertThat(load.select("count(*) FROM cordwood.%s.logs".formatted(tenant)))
                .as("rows of %s", tenant)
                .isEqualTo(shipped);
        assertThat(load.select("count(DISTINCT n) FROM cordwood.%s.logs".formatted(tenant)))
                .as("different rows of %s", tenant)
                .isEqualTo(shipped);
    }
}
