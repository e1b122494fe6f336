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

/** Runs each {@link Trial}. For one thread. */
public final class Trials {
    private static final Duration RECOVERY = Duration.ofMinutes(5);

    /** Enough checkpoints that archived-through has reached the rows of the first one at the last one. */
    private static final int CHECKPOINTS = 4;

    private static final Duration ROWS_COME = Duration.ofSeconds(8);
    private static final Duration CONNECTIONS_BREAK = Duration.ofSeconds(3);
    private static final int TENANT = 0;
    /** Not the producer that sends in transactions. */
    private static final int PRODUCER = 1;

    private static final int EVERY_THIRD = 3;

    private final Lab lab;
    private final Faults faults;
    private final Deleter deleter;
    private final Findings findings;
    private final TenantTrial tenants;

    /** @param deleter deletes only on request */
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
                    case TOKENS_REVOKED -> throw new IllegalArgumentException(trial + " needs a closed stack");
                });
    }

    private void killBeforeCommit() throws Exception {
        lab.breakpoints().arm(BEFORE_COMMIT);
        lab.breakpoints().awaitAny(BEFORE_COMMIT);
        awaitCheckpoints();
        kill(BEFORE_COMMIT);
    }

    private void killAfterCommit() throws Exception {
        lab.breakpoints().arm(AFTER_COMMIT);
        lab.breakpoints().awaitAny(AFTER_COMMIT);
        kill(AFTER_COMMIT);
    }

    /** Kills the job at its breakpoint, and releases the next one. */
    private void kill(FaultPoint held) throws Exception {
        ProcessHandle job = ProcessHandle.of(lab.pid(Component.FLINK)).orElseThrow();
        lab.kill(Component.FLINK);
        Await.await(RECOVERY, "the job is dead", () -> !job.isAlive());
        lab.breakpoints().release(held);
    }

    private void overlapCommits() throws Exception {
        Breakpoints first = lab.breakpoints();
        first.arm(BEFORE_COMMIT);
        String tenant = first.awaitAny(BEFORE_COMMIT);
        try (SecondInstance instance = new SecondInstance(lab, false)) {
            Breakpoints second = instance.breakpoints();
            second.arm(BEFORE_COMMIT);
            instance.start();
            long ofSecond = second.await(BEFORE_COMMIT, tenant);
            long ofFirst = first.await(BEFORE_COMMIT, tenant);
            // The instance with the higher offset commits last, because the catalog refuses offsets that go back.
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

    /** Releases the tenant's commit until it is accepted, and nothing after it. */
    private static void commit(Breakpoints breakpoints, String tenant) throws Exception {
        breakpoints.arm(AFTER_COMMIT);
        breakpoints.release(BEFORE_COMMIT);
        breakpoints.await(AFTER_COMMIT, tenant);
    }

    /** One commit of the job and one of a statement: Iceberg cleans up only after the latter. */
    private void repeatCommits() throws Exception {
        lab.breakpoints().arm(BEFORE_COMMIT);
        lab.breakpoints().awaitAny(BEFORE_COMMIT);
        long before = lab.repeatedCommits();
        try {
            lab.catalogProxy().weather(Weather.REPEATING_GATEWAY);
            lab.breakpoints().release(BEFORE_COMMIT);
            Await.await(RECOVERY, "a commit of the job is sent twice", () -> lab.repeatedCommits() > before);
            try (Deletion deletion = new Deletion()) {
                deletion.await();
            }
        } finally {
            lab.catalogProxy().weather(Weather.FAIR);
        }
    }

    /** Trino is already slowed down. */
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
        lab.breakpoints().arm(BEFORE_COMMIT);
        lab.breakpoints().awaitAny(BEFORE_COMMIT);
        faults.makeTopicAnew(this::awaitCheckpoints, this::deleteWhileCommitsAreHeld);
    }

    private void deleteWhileCommitsAreHeld() throws Exception {
        try (Deletion deletion = new Deletion()) {
            Await.await(RECOVERY, "the statement has begun", () -> lab.isFlushRequested(TENANT) || deletion.isDone());
            lab.breakpoints().release(BEFORE_COMMIT);
            deletion.await();
        }
    }

    /** A running statement in its own thread. */
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
        lab.breakpoints().arm(BEFORE_COMMIT);
        lab.breakpoints().awaitAny(BEFORE_COMMIT);
        HiddenCheckpoint checkpoint = new HiddenCheckpoint(lab);
        faults.makeTopicAnew(
                () -> {
                    awaitCheckpoints();
                    // Flink is killed next.
                    lab.signal(Component.FLINK, "STOP");
                    checkpoint.hide();
                },
                () -> {
                    Await.await(RECOVERY, "the job misses its checkpoint", checkpoint::isMissedOrGivenUp);
                    checkpoint.show();
                    lab.breakpoints().release(BEFORE_COMMIT);
                });
    }

    private void setClocksAhead() throws Exception {
        Await.await(RECOVERY, "rows are archived", () -> archived() > 0);
        new WrongClocks(lab).set(WrongClocks.AHEAD, this::awaitArchived);
    }

    /** The value of a trial's only topic and partition. */
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
        // The job has restarted once: it must not wait until its clock is as late as before.
        lab.clocks().shift(WrongClocks.BACK.multipliedBy(2), Component.FLINK);
        try {
            lab.kafkaProxy().weather(Weather.CUT);
            Thread.sleep(CONNECTIONS_BREAK);
        } finally {
            lab.kafkaProxy().weather(Weather.FAIR);
        }
    }

    private void loseFlush() throws Exception {
        lab.breakpoints().arm(FLUSH_ARRIVES);
        lab.breakpoints().awaitAny(FLUSH_ARRIVES);
        lab.breakpoints().release(FLUSH_ARRIVES);
    }
}
