package io.cordwood.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.systemtests.agent.MutationAgent;
import io.cordwood.systemtests.agent.Slowness;
import io.cordwood.systemtests.lab.Archiving;
import io.cordwood.systemtests.lab.Component;
import io.cordwood.systemtests.lab.FaultyProxy;
import io.cordwood.systemtests.lab.Lab;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Peak memory of the processes under overload. */
@Command(
        name = "bounds",
        description = "Peak memory of job, catalog and Trino under floods, many new tenants and huge rows.",
        mixinStandardHelpOptions = true)
public final class BoundsBench implements Callable<Integer> {
    private static final int MAX_AGE_SECONDS = 10;
    private static final String SLOW_WAREHOUSE = "slow_warehouse";
    private static final List<Component> MEASURED = List.of(Component.FLINK, Component.CATALOG, Component.TRINO);

    @Option(names = "--quick", description = "A hundredth of everything: ends within a minute.")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "CASE",
            description = "Only flood, new_tenants, slow_catalog, huge_rows or slow_warehouse.")
    private String only = "";

    private final Report report = new Report("bounds", System.out);

    @Override
    public Integer call() throws Exception {
        Path root = Path.of(System.getProperty("cordwood.root", ".")).toAbsolutePath();
        int part = quick ? 100 : 1;
        if (!only.equals(SLOW_WAREHOUSE)) {
            measureOthers(root, part);
        }
        // Slowness is built into the processes, so this case needs its own.
        if (only.isEmpty() || only.equals(SLOW_WAREHOUSE)) {
            String option = MutationAgent.jvmOption(root, List.of(Slowness.SLOW_WAREHOUSE.name()));
            Map<String, String> environment =
                    Map.of("CORDWOOD_FLINK_JAVA_OPTIONS", option, "CORDWOOD_TRINO_JAVA_OPTIONS", option);
            try (Scratch scratch = Scratch.create();
                    Lab lab = Lab.start(root, scratch, MAX_AGE_SECONDS, environment)) {
                measure(lab, SLOW_WAREHOUSE, 1_000_000 / part, 20, number -> row(number, 200));
            }
        }
        report.printTable();
        return 0;
    }

    private void measureOthers(Path root, int part) throws Exception {
        try (Scratch scratch = Scratch.create();
                Lab lab = Lab.start(root, scratch, MAX_AGE_SECONDS, Map.of())) {
            measure(lab, "flood", 3_000_000 / part, 100, number -> row(number, 200));
            measure(lab, "new_tenants", 10_000 / part, 10_000 / part, number -> row(number, 200));
            lab.catalogProxy().weather(FaultyProxy.Weather.SLOW);
            measure(lab, "slow_catalog", 1_000_000 / part, 20, number -> row(number, 200));
            lab.catalogProxy().weather(FaultyProxy.Weather.FAIR);
            measure(lab, "huge_rows", 1_000 / part, 1_000 / part, number -> row(number, 10 << 20));
        }
    }

    private interface Rows {
        byte[] json(int number);
    }

    /** A row with a message of about this size in bytes. */
    private static byte[] row(int number, int bytes) {
        return "{\"n\":%d,\"level\":\"INFO\",\"message\":\"%s\"}"
                .formatted(number, ("word" + number % 97 + " ").repeat(Math.max(1, bytes / 7)))
                .getBytes(UTF_8);
    }

    private void measure(Lab lab, String name, int rows, int tenants, Rows maker) throws Exception {
        if (!only.isEmpty() && !only.equals(name)) {
            return;
        }
        for (Component component : MEASURED) {
            // Resets the kernel's peak for this case.
            Files.writeString(Path.of("/proc", Long.toString(lab.pid(component)), "clear_refs"), "5");
        }
        long begun = System.nanoTime();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        lab.kafka(),
                        "compression.type",
                        "lz4",
                        "linger.ms",
                        "20",
                        "batch.size",
                        256 << 10,
                        "buffer.memory",
                        128L << 20,
                        "max.request.size",
                        16 << 20),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int number = 0; number < rows; number++) {
                byte[] tenant =
                        (name + "-" + number % tenants).replace('_', '-').getBytes(UTF_8);
                var _ = producer.send(new ProducerRecord<>(Lab.STREAM, tenant, maker.json(number)));
            }
        }
        report.add(name, "sent_seconds", (System.nanoTime() - begun) / 1e9, "s");
        try (Admin admin = lab.admin()) {
            new Archiving(lab, admin).await();
        }
        report.add(name, "archived_seconds", (System.nanoTime() - begun) / 1e9, "s");
        report.add(name, "rows_found", (double) count(lab, name), "rows");
        for (Component component : MEASURED) {
            report.add(
                    name,
                    component + "_peak_rss_bytes",
                    (double) ProcessUsage.of(lab.pid(component)).peakRssBytes(),
                    "bytes");
        }
    }

    /** Reads every message of the case, so that each has been in Trino's memory. */
    private static long count(Lab lab, String name) throws Exception {
        try (Connection connection = lab.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("""
                        SELECT count(*), max(length(message)) FROM cordwood.all_tenants.%s WHERE tenant_id LIKE '%s-%%'""".formatted(Lab.STREAM, name.replace('_', '-')))) {
            result.next();
            return result.getLong(1);
        }
    }
}
