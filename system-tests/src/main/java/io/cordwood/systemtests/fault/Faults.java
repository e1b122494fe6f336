package io.cordwood.systemtests.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.run.Directories;
import io.cordwood.services.Bombs;
import io.cordwood.services.Bombs.Zeros;
import io.cordwood.services.KafkaTopics;
import io.cordwood.systemtests.check.Checker;
import io.cordwood.systemtests.deletion.TenantDeleter;
import io.cordwood.systemtests.lab.Archiving;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Component;
import io.cordwood.systemtests.lab.FaultyProxy;
import io.cordwood.systemtests.lab.FaultyProxy.Weather;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.lab.NotRecoveredException;
import io.cordwood.systemtests.lab.Savepoints;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.load.Producers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** All faults that the lab can inject. For one thread. */
public final class Faults {
    private static final Duration RECOVERY = Duration.ofMinutes(5);
    private static final String GROUP = "cordwood-ingest";

    private final Lab lab;
    private final Producers producers;
    private final Ledger ledger;
    private final Checker checker;
    private final Random random;

    public Faults(Lab lab, Producers producers, Ledger ledger, Checker checker, Random random) {
        this.lab = lab;
        this.producers = producers;
        this.ledger = ledger;
        this.checker = checker;
        this.random = random;
    }

    /** A kill of each component. */
    public List<Fault> kills() {
        List<Fault> faults = new ArrayList<>();
        for (Component component : Component.values()) {
            faults.add(new Fault("kill -9 " + component, () -> kill(component)));
        }
        return faults;
    }

    /** Usually while it runs, sometimes while it is still starting. */
    private void kill(Component component) throws IOException, InterruptedException, NotRecoveredException {
        if (random.nextInt(4) > 0) {
            Await.await(RECOVERY, component + " is ready", () -> lab.isReady(component));
            Thread.sleep(random.nextInt(3_000));
        }
        awaitRunning(component);
        lab.kill(component);
    }

    /** The supervisor may be between two starts. */
    private void awaitRunning(Component component) throws InterruptedException, NotRecoveredException {
        Await.await(RECOVERY, component + " runs", () -> isRunning(component));
    }

    private boolean isRunning(Component component) throws IOException {
        return ProcessHandle.of(lab.pid(component)).isPresent();
    }

    /** Faults that break connections or halt a process for a while; each takes some seconds. */
    public List<Fault> passing() {
        List<Fault> faults = new ArrayList<>();
        for (Component component : Component.values()) {
            faults.add(new Fault("SIGSTOP " + component, () -> freeze(component)));
        }
        for (Weather weather : List.of(Weather.SLOW, Weather.SILENT, Weather.CUT, Weather.ANSWERS_LOST)) {
            faults.add(new Fault("catalog connections " + weather, () -> weather(lab.catalogProxy(), weather)));
            faults.add(new Fault("Kafka connections " + weather, () -> weather(lab.kafkaProxy(), weather)));
        }
        return faults;
    }

    /** Faults that happen once in a run. */
    public List<Fault> single() {
        return List.of(
                new Fault("new partitions", this::addPartitions),
                new Fault("topic recreated", this::makeTopicAnew),
                new Fault("tenant deleted and recreated", this::deleteTenant),
                new Fault("transaction left open", this::leaveTransactionOpen),
                new Fault("records that unpack to 1.5 GB", this::sendBombs),
                new Fault("second instance, own checkpoints", () -> runSecondInstance(false)),
                new Fault("second instance, same checkpoints", () -> runSecondInstance(true)),
                new Fault("disk refuses the job's writes", this::refuseWrites),
                new Fault("read-only warehouse", this::makeWarehouseReadOnly),
                new Fault("consumer offsets expired, rescaled from 2 to 1", this::expireOffsetsAndRescale),
                new Fault("older checkpoint, rescaled from 1 to 2", this::restoreOldCheckpoint),
                new Fault("older savepoint, rescaled from 2 to 1", () -> restoreSavepoint(false, 1)),
                new Fault("stopped with a savepoint, rescaled from 1 to 2", () -> restoreSavepoint(true, 2)),
                new Fault("no checkpoint", this::loseCheckpoints),
                new Fault("clocks 20 years ahead", () -> setClocks(WrongClocks.AHEAD)),
                new Fault("clocks 3 hours back", () -> setClocks(WrongClocks.BACK)));
    }

    private void freeze(Component component) throws Exception {
        awaitRunning(component);
        long pid = lab.pid(component);
        try {
            Lab.signal(pid, "STOP");
            Thread.sleep(random.nextInt(2_000, 8_000));
        } finally {
            Lab.signal(pid, "CONT");
        }
    }

    private void weather(FaultyProxy proxy, Weather weather) throws InterruptedException {
        try {
            proxy.weather(weather);
            Thread.sleep(random.nextInt(3_000, 10_000));
        } finally {
            proxy.weather(Weather.FAIR);
        }
    }

    private void addPartitions() throws Exception {
        int count = Lab.PARTITIONS + 2;
        try (Admin admin = lab.admin()) {
            admin.createPartitions(Map.of(Lab.STREAM, NewPartitions.increaseTo(count)))
                    .all()
                    .get();
        }
        producers.partitions(count);
    }

    private void makeTopicAnew() throws Exception {
        producers.pause();
        try (Admin admin = lab.admin()) {
            new Archiving(lab, admin).await();
            replaceTopic(admin);
        }
        producers.resume();
    }

    /**
     * Recreates the topic while producers are paused, and kills the job.
     *
     * @param before returns when the job has read enough of the topic
     * @param after runs before rows are sent again
     */
    public void makeTopicAnew(Fault.Injection before, Fault.Injection after) throws Exception {
        producers.pause();
        try (Admin admin = lab.admin()) {
            before.inject();
            lab.kill(Component.FLINK);
            replaceTopic(admin);
            after.inject();
        }
        producers.resume();
    }

    /** While the producers pause. */
    private void replaceTopic(Admin admin) throws Exception {
        NewTopic like = new NewTopic(Lab.STREAM, Lab.PARTITIONS, (short) 1)
                .configs(Map.of("message.timestamp.type", "LogAppendTime", "max.message.bytes", "16842752"));
        KafkaTopics.delete(admin, Lab.STREAM);
        checker.topicMadeAnew(KafkaTopics.create(admin, like).toString());
        producers.topicMadeAnew();
    }

    /** Recreates the topic while the job is stopped, and waits until it has more rows than the old one had. */
    public void outgrowTopic() throws Exception {
        awaitRunning(Component.FLINK);
        long pid = lab.pid(Component.FLINK);
        producers.pause();
        try (Admin admin = lab.admin()) {
            Archiving archiving = new Archiving(lab, admin);
            archiving.await();
            Map<Integer, Long> ends = archiving.endOffsets();
            Lab.signal(pid, "STOP");
            try {
                replaceTopic(admin);
                producers.resume();
                Await.await(
                        RECOVERY,
                        "the topic has outgrown the old one",
                        () -> archiving.endOffsets().entrySet().stream()
                                .allMatch(end -> end.getValue() >= ends.get(end.getKey())));
            } finally {
                Lab.signal(pid, "CONT");
            }
        }
    }

    private void deleteTenant() throws Exception {
        try (Admin admin = lab.admin()) {
            // Not repeatable: a second deletion would also drop rows above the first floor.
            Await.await(RECOVERY, "the catalog answers", () -> {
                lab.archivedThrough();
                return true;
            });
            new TenantDeleter(lab, producers, ledger).delete(admin, TenantDeleter.DELETED_TENANT);
        }
    }

    /** The transaction's row must never be visible. Until Kafka aborts it, no later row can be read. */
    private void leaveTransactionOpen() throws Exception {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers", lab.kafka(), "transactional.id", "left-open", "transaction.timeout.ms", "15000");
        KafkaProducer<byte[], byte[]> kafka =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            kafka.initTransactions();
            kafka.beginTransaction();
            byte[] tenant = NumberedRow.tenantId(0).getBytes(UTF_8);
            byte[] row = "{\"message\":\"in a transaction that stays open\"}".getBytes(UTF_8);
            kafka.send(new ProducerRecord<>(Lab.STREAM, 0, tenant, row)).get();
        } finally {
            // As if the producer had died; with more time it would abort the transaction.
            kafka.close(Duration.ZERO);
        }
    }

    /** One record of each compression in all partitions that get rows. They contain no row. */
    private void sendBombs() throws Exception {
        Zeros zeros = Zeros.value(NumberedRow.tenantId(0).getBytes(UTF_8), 1_500_000_000);
        for (CompressionType compression : List.of(CompressionType.ZSTD, CompressionType.GZIP, CompressionType.LZ4)) {
            for (int partition = 0; partition < Lab.PARTITIONS; partition++) {
                MemoryRecords bomb = Bombs.batch(compression, List.of(zeros));
                int to = partition;
                Await.await(RECOVERY, "the broker takes a record", () -> {
                    Bombs.send(lab.kafka(), Lab.STREAM, to, bomb);
                    return true;
                });
            }
        }
    }

    private void runSecondInstance(boolean sameCheckpoints) throws Exception {
        awaitRunning(Component.FLINK);
        try (SecondInstance second = new SecondInstance(lab, sameCheckpoints)) {
            second.start();
            Thread.sleep(20_000);
            // Slows commits, so that those of the two instances overlap.
            lab.catalogProxy().weather(Weather.SLOW);
            Thread.sleep(15_000);
            // It refuses checkpoints that another instance uses
            if (second.isAlive() == sameCheckpoints) {
                throw new IllegalStateException("the second instance %s: see %s"
                        .formatted(sameCheckpoints ? "was not refused" : "did not live", second.log()));
            }
        } finally {
            lab.catalogProxy().weather(Weather.FAIR);
        }
    }

    private void refuseWrites() throws Exception {
        awaitRunning(Component.FLINK);
        String pid = Long.toString(lab.pid(Component.FLINK));
        // Each write fails as on a full disk. A limit needs no privileges and does not affect other programs on this
        // disk.
        run("prlimit", "--pid", pid, "--fsize=0:unlimited");
        Thread.sleep(10_000);
        if (ProcessHandle.of(Long.parseLong(pid)).isPresent()) {
            run("prlimit", "--pid", pid, "--fsize=unlimited:unlimited");
        }
    }

    private void makeWarehouseReadOnly() throws IOException, InterruptedException, NotRecoveredException {
        String warehouse = lab.warehouse().toString();
        if (System.getProperty("user.name").equals("root")) {
            // Root ignores permissions.
            run("mount", "--bind", warehouse, warehouse);
            try {
                // The remount is refused while a file is being written.
                Await.await(Duration.ofSeconds(30), "a time without writes", () -> {
                    run("mount", "-o", "remount,ro,bind", warehouse);
                    return true;
                });
                Thread.sleep(8_000);
            } finally {
                run("umount", "-l", warehouse);
            }
        } else {
            try {
                run("chmod", "-R", "a-w", warehouse);
                Thread.sleep(8_000);
            } finally {
                run("chmod", "-R", "u+w", warehouse);
            }
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output.strip());
        }
    }

    private void expireOffsetsAndRescale() throws Exception {
        lab.down();
        try (Admin admin = lab.admin()) {
            admin.deleteConsumerGroups(List.of(GROUP)).all().get();
        }
        lab.up(1);
    }

    private void restoreOldCheckpoint() throws Exception {
        Path old = lab.directory().resolve("old-checkpoints");
        lab.down();
        Directories.copy(checkpoints(), old);
        lab.up(1);
        Thread.sleep(20_000); // The job continues, and the copy becomes outdated.
        lab.down();
        Directories.delete(checkpoints());
        Directories.copy(old, checkpoints());
        lab.up(2);
    }

    /** @param stop whether the job ends with the savepoint; its supervisor then restarts it without the savepoint */
    private void restoreSavepoint(boolean stop, int parallelism) throws Exception {
        Path savepoint = new Savepoints(lab).take(stop);
        Thread.sleep(20_000); // The job continues, and the savepoint becomes outdated.
        lab.down();
        Directories.delete(checkpoints());
        lab.up(parallelism, "--savepoint", savepoint.toString());
    }

    private void loseCheckpoints() throws Exception {
        lab.down();
        Directories.delete(checkpoints());
        lab.up(2);
    }

    private void setClocks(Duration shift) throws Exception {
        new WrongClocks(lab).set(shift, () -> Thread.sleep(10_000));
    }

    private Path checkpoints() {
        return lab.home().resolve("data").resolve("checkpoints");
    }
}
