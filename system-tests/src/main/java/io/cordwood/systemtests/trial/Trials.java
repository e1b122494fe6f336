package io.cordwood.systemtests.trial;

import static io.cordwood.systemtests.agent.FaultPoint.AFTER_COMMIT;
import static io.cordwood.systemtests.agent.FaultPoint.BEFORE_COMMIT;
import static io.cordwood.systemtests.agent.FaultPoint.FLUSH_ARRIVES;

import io.cordwood.systemtests.agent.FaultPoint;
import io.cordwood.systemtests.agent.Trial;
import io.cordwood.systemtests.deletion.Deleter;
import io.cordwood.systemtests.fault.Fault;
import io.cordwood.systemtests.fault.Faults;
import io.cordwood.systemtests.fault.HiddenCheckpoint;
import io.cordwood.systemtests.fault.SecondInstance;
import io.cordwood.systemtests.fault.WrongClocks;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Breakpoints;
import io.cordwood.systemtests.lab.Component;
import io.cordwood.systemtests.lab.FaultyProxy.Weather;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.lab.NotRecoveredException;
import io.cordwood.systemtests.lab.Savepoints;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** How each {@link Trial} is made to happen. Used by one thread. */
public final class Trials {
    private static final Duration RECOVERY = Duration.ofMinutes(5);

    /** So many that what was on its way to archived-through at the first is there at the last. */
    private static final int CHECKPOINTS = 4;

    private static final Duration ROWS_COME = Duration.ofSeconds(8);
    private static final Duration CONNECTIONS_BREAK = Duration.ofSeconds(3);
    private static final int TENANT = 0;
    /** Not the one that sends in transactions. */
    private static final int PRODUCER = 1;

    private static final int EVERY_THIRD = 3;

    private final Lab lab;
    private final Faults faults;
    private final Deleter deleter;
    private final Findings findings;
    private final TenantTrial tenants;

    /** @param deleter deletes nothing by itself */
    public Trials(Lab lab, Faults faults, Deleter deleter, Findings findings, TenantTrial tenants) {
        this.lab = lab;
        this.faults = faults;
        this.deleter = deleter;
        this.findings = findings;
        this.tenants = tenants;
    }

    public Fault fault(Trial trial) {
        return new Fault(
                trial.name(),
                switch (trial) {
                    case KILL_BEFORE_COMMIT -> this::killBeforeCommit;
                    case KILL_AFTER_COMMIT -> this::killAfterCommit;
                    case OVERLAPPING_COMMITS -> this::overlapCommits;
                    case REPEATED_COMMIT -> this::repeatCommits;
                    case LOST_FLUSH -> this::loseFlush;
                    case SLOW_PLANNING -> this::archiveWhilePlanning;
                    case TOPIC_OUTGROWN -> faults::outgrowTopic;
                    case DELETE_WHILE_ROWS_COME -> this::deleteWhileRowsCome;
                    case DELETE_AFTER_TOPIC_MADE_ANEW -> this::deleteAfterTopicMadeAnew;
                    case CHECKPOINT_HIDDEN_AFTER_TOPIC_MADE_ANEW -> this::hideCheckpointAfterTopicMadeAnew;
                    case CLOCK_AHEAD -> this::setClocksAhead;
                    case CLOCK_BACK -> this::setClockBack;
                    case TENANT_DELETED_ACROSS_FLUSH -> tenants::run;
                });
    }

    private void killBeforeCommit() throws Exception {
        lab.holds().arm(BEFORE_COMMIT);
        lab.holds().awaitAny(BEFORE_COMMIT);
        awaitCheckpoints();
        kill(BEFORE_COMMIT);
    }

    private void killAfterCommit() throws Exception {
        lab.holds().arm(AFTER_COMMIT);
        lab.holds().awaitAny(AFTER_COMMIT);
        kill(AFTER_COMMIT);
    }

    /** Kills the job, which is held, and lets the next one go. */
    private void kill(FaultPoint held) throws Exception {
        ProcessHandle job = ProcessHandle.of(lab.pid(Component.FLINK)).orElseThrow();
        lab.kill(Component.FLINK);
        Await.await(RECOVERY, "the job is dead", () -> !job.isAlive());
        lab.holds().release(held);
    }

    private void overlapCommits() throws Exception {
        Breakpoints first = lab.holds();
        first.arm(BEFORE_COMMIT);
        String tenant = first.awaitAny(BEFORE_COMMIT);
        try (SecondInstance instance = new SecondInstance(lab, false)) {
            Breakpoints second = instance.holds();
            second.arm(BEFORE_COMMIT);
            instance.start();
            long ofSecond = second.await(BEFORE_COMMIT, tenant);
            long ofFirst = first.await(BEFORE_COMMIT, tenant);
            // The one that gets further goes last, for the catalog refuses offsets that go back.
            if (ofFirst <= ofSecond) {
                commit(first, tenant);
                commit(second, tenant);
            } else {
                commit(second, tenant);
                commit(first, tenant);
            }
        }
        first.release(AFTER_COMMIT);
    }

    /** Lets the tenant's commit go on until it is accepted, and nothing after it. */
    private static void commit(Breakpoints holds, String tenant) throws Exception {
        holds.arm(AFTER_COMMIT);
        holds.release(BEFORE_COMMIT);
        holds.await(AFTER_COMMIT, tenant);
    }

    /** One of the job's, and one of a statement: only the latter's is Iceberg's to clean up after. */
    private void repeatCommits() throws Exception {
        lab.holds().arm(BEFORE_COMMIT);
        lab.holds().awaitAny(BEFORE_COMMIT);
        long before = lab.repeatedCommits();
        try {
            lab.catalogProxy().weather(Weather.REPEATING_GATEWAY);
            lab.holds().release(BEFORE_COMMIT);
            Await.await(RECOVERY, "a commit of the job is sent twice", () -> lab.repeatedCommits() > before);
            try (Deletion deletion = new Deletion()) {
                deletion.await();
            }
        } finally {
            lab.catalogProxy().weather(Weather.FAIR);
        }
    }

    /** Trino is slow by itself. */
    private void archiveWhilePlanning() throws Exception {
        awaitCheckpoints();
    }

    private void awaitCheckpoints() throws Exception {
        Savepoints flink = new Savepoints(lab);
        long completed = flink.completedCheckpoints() + CHECKPOINTS;
        Await.await(RECOVERY, "checkpoints go on", () -> flink.completedCheckpoints() >= completed);
    }

    private void deleteWhileRowsCome() throws Exception {
        long pid = lab.pid(Component.FLINK);
        Lab.signal(pid, "STOP");
        try (Deletion deletion = new Deletion()) {
            try {
                Await.await(RECOVERY, "the statement has begun", () -> lab.isFlushRequested(TENANT));
                Thread.sleep(ROWS_COME);
            } finally {
                Lab.signal(pid, "CONT");
            }
            deletion.await();
        }
    }

    private void deleteAfterTopicMadeAnew() throws Exception {
        lab.holds().arm(BEFORE_COMMIT);
        lab.holds().awaitAny(BEFORE_COMMIT);
        faults.makeTopicAnew(this::awaitCheckpoints, this::deleteWhileCommitsAreHeld);
    }

    private void deleteWhileCommitsAreHeld() throws Exception {
        try (Deletion deletion = new Deletion()) {
            Await.await(RECOVERY, "the statement has begun", () -> lab.isFlushRequested(TENANT) || deletion.isDone());
            lab.holds().release(BEFORE_COMMIT);
            deletion.await();
        }
    }

    /** A statement under way, in a thread of its own. */
    private final class Deletion implements AutoCloseable {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final Future<?> done = thread.submit(() -> {
            try {
                deleter.delete(TENANT, PRODUCER, EVERY_THIRD);
            } catch (NotRecoveredException e) {
                findings.add(Kind.NOT_RECOVERED, e.getMessage());
            }
            return null;
        });

        boolean isDone() {
            return done.isDone();
        }

        void await() throws Exception {
            done.get();
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }

    private void hideCheckpointAfterTopicMadeAnew() throws Exception {
        lab.holds().arm(BEFORE_COMMIT);
        lab.holds().awaitAny(BEFORE_COMMIT);
        HiddenCheckpoint checkpoint = new HiddenCheckpoint(lab);
        faults.makeTopicAnew(
                () -> {
                    awaitCheckpoints();
                    // It is killed next.
                    lab.signal(Component.FLINK, "STOP");
                    checkpoint.hide();
                },
                () -> {
                    Await.await(RECOVERY, "the job misses its checkpoint", checkpoint::isMissedOrGivenUp);
                    checkpoint.show();
                    lab.holds().release(BEFORE_COMMIT);
                });
    }

    private void setClocksAhead() throws Exception {
        Await.await(RECOVERY, "rows are archived", () -> archived() > 0);
        new WrongClocks(lab).set(WrongClocks.AHEAD, this::awaitArchived);
    }

    /** Of the one topic and partition that a trial has. */
    private long archived() throws IOException, InterruptedException {
        return lab.archivedThrough().values().stream()
                .flatMap(partitions -> partitions.values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    private void awaitArchived() throws Exception {
        long before = archived();
        Await.await(RECOVERY, "rows are archived", () -> archived() > before);
    }

    private void setClockBack() throws Exception {
        lab.clocks().shift(WrongClocks.BACK, Component.FLINK);
        awaitCheckpoints();
        // It has restarted once: nothing may wait until it is as late as it was then.
        lab.clocks().shift(WrongClocks.BACK.multipliedBy(2), Component.FLINK);
        try {
            lab.kafkaProxy().weather(Weather.CUT);
            Thread.sleep(CONNECTIONS_BREAK);
        } finally {
            lab.kafkaProxy().weather(Weather.FAIR);
        }
    }

    private void loseFlush() throws Exception {
        lab.holds().arm(FLUSH_ARRIVES);
        lab.holds().awaitAny(FLUSH_ARRIVES);
        lab.holds().release(FLUSH_ARRIVES);
    }
}
