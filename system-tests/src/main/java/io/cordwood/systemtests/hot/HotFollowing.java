package io.cordwood.systemtests.hot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Pace;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.lab.NotRecoveredException;
import io.cordwood.systemtests.ledger.Findings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Measures {@code bin/cordwood tail} at a steady rate of rows: whether it prints each acknowledged row once, its delay,
 * and its CPU time. For one thread.
 */
final class HotFollowing {
    private static final String TENANT = "followed";
    private static final Duration LIMIT = Duration.ofMinutes(1);
    /** As a column, or as an attribute while there is no table yet. */
    private static final Pattern NUMBER = Pattern.compile("\"n\":\"?([0-9]+)");

    private final Lab lab;
    private final Report report;
    private final Findings findings;
    private final int rate;
    private final int rows;
    /** Times by row in ns; 0 for not yet. */
    private final AtomicLongArray acknowledged;

    private final AtomicLongArray printed;
    private final AtomicInteger acknowledgedRows = new AtomicInteger();
    private final AtomicInteger printedRows = new AtomicInteger();

    /**
     * @param findings receives rows that are not printed, or printed twice
     * @param rate rows a second
     */
    HotFollowing(Lab lab, Report report, Findings findings, int rate, int seconds) {
        this.lab = lab;
        this.report = report;
        this.findings = findings;
        this.rate = rate;
        this.rows = rate * seconds;
        this.acknowledged = new AtomicLongArray(rows);
        this.printed = new AtomicLongArray(rows);
    }

    void measure() throws Exception {
        Process tail = lab.tail("--tenant", TENANT, "--since", "1m", "--json");
        Thread reading = Thread.ofPlatform().name("printed").start(() -> read(tail));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", lab.kafka(), "compression.type", "lz4", "linger.ms", 5),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            send(producer, 0, 1);
            Await.await(LIMIT, "bin/cordwood tail prints a row", () -> printedRows.get() == 1);
            double before = ProcessUsage.of(tail.pid()).cpuSeconds();
            long start = System.nanoTime();
            send(producer, 1, rows);
            double seconds = (System.nanoTime() - start) / 1e9;
            awaitPrinted();
            double cpu = ProcessUsage.of(tail.pid()).cpuSeconds() - before;
            Lab.signal(tail.pid(), "INT");
            if (!tail.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new NotRecoveredException("bin/cordwood tail did not end within %s of ^C".formatted(LIMIT));
            }
            reading.join();
            report(seconds, cpu, tail.exitValue());
        } finally {
            tail.destroyForcibly();
        }
    }

    /** Sends rows and waits until Kafka has acknowledged them. */
    private void send(KafkaProducer<byte[], byte[]> producer, int from, int to) {
        Pace pace = new Pace(rate, LIMIT.multipliedBy(60));
        for (int row = from; row < to && pace.next(); row++) {
            int number = row;
            byte[] json =
                    "{\"n\":%d,\"level\":\"INFO\",\"message\":\"request %d was served from the cache of node %d\"}"
                            .formatted(row, row * 31L, row % 50)
                            .getBytes(UTF_8);
            var _ = producer.send(
                    new ProducerRecord<>(Lab.STREAM, row % Lab.PARTITIONS, TENANT.getBytes(UTF_8), json),
                    (_, failure) -> {
                        if (failure == null) {
                            acknowledged.set(number, System.nanoTime());
                            acknowledgedRows.incrementAndGet();
                        }
                    });
        }
        producer.flush();
    }

    private void read(Process tail) {
        try (BufferedReader out = tail.inputReader(UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                Matcher number = NUMBER.matcher(line);
                if (!number.find() || Integer.parseInt(number.group(1)) >= rows) {
                    findings.add(Findings.Kind.UNEXPECTED, "tail printed: " + line);
                } else if (printed.getAndSet(Integer.parseInt(number.group(1)), System.nanoTime()) == 0) {
                    printedRows.incrementAndGet();
                } else {
                    findings.add(Findings.Kind.DOUBLE, "tail printed twice: " + line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for all rows, or until no row has arrived for a while. */
    private void awaitPrinted() throws InterruptedException {
        long timeout = TimeUnit.SECONDS.toNanos(10);
        int seen = printedRows.get();
        long changed = System.nanoTime();
        while (seen < acknowledgedRows.get() && System.nanoTime() - changed < timeout) {
            Thread.sleep(10);
            if (printedRows.get() > seen) {
                seen = printedRows.get();
                changed = System.nanoTime();
            }
        }
    }

    private void report(double seconds, double cpu, int exitCode) {
        IntStream.range(0, rows)
                .filter(row -> acknowledged.get(row) != 0 && printed.get(row) == 0)
                .forEach(row -> findings.add(Findings.Kind.LOST, "tail did not print row " + row));
        Percentiles delays = Percentiles.of(IntStream.range(0, rows)
                .filter(row -> acknowledged.get(row) != 0 && printed.get(row) != 0)
                .mapToDouble(row -> Math.max(0, printed.get(row) - acknowledged.get(row)) / 1e6)
                .toArray());
        report.add("tail", "rows_per_second", acknowledgedRows.get() / seconds, "rows/s");
        report.add("tail", "rows_printed", printedRows.get(), "rows");
        report.add("tail", "rows_lost", findings.count(Findings.Kind.LOST), "rows");
        report.add("tail", "rows_twice", findings.count(Findings.Kind.DOUBLE), "rows");
        report.add("tail", "delay_ms_median", delays.median(), "ms");
        report.add("tail", "delay_ms_p99", delays.at(0.99), "ms");
        report.add("tail", "cpu_us_per_row", cpu * 1e6 / printedRows.get(), "us");
        report.add("tail", "exit_code", exitCode, "code");
        if (exitCode != 0) {
            findings.add(Findings.Kind.UNEXPECTED, "tail ended with exit code " + exitCode);
        }
    }
}
