package io.cordwood.systemtests.fault;

import static io.cordwood.systemtests.lab.Component.CATALOG;
import static io.cordwood.systemtests.lab.Component.COMPACTION;
import static io.cordwood.systemtests.lab.Component.FLINK;

import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Clocks;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.lab.NotRecoveredException;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Sets the clocks of job and compaction wrong, then the catalog's too, then the catalog's alone. Each phase lasts for
 * whole cycles of compaction: every LogBlock would expire in them if the wrong clock counted alone. Used by one
 * thread.
 */
public final class WrongClocks {
    /** Longer than rows are kept. */
    public static final Duration AHEAD = Duration.ofDays(20 * 365);

    public static final Duration BACK = Duration.ofHours(-3);

    /** No row of a {@link NumberedRow.Maker} is as old. */
    private static final int RETENTION_DAYS = 4_000;

    private static final Duration RECOVERY = Duration.ofMinutes(5);
    /** What compaction says at the beginning of a cycle in which its clock and the catalog's differ. */
    private static final String CLOCKS_DIFFER = "by the catalog service; things expire by the earlier time";
    /** At the beginning of the second the first is over. */
    private static final int CYCLES = 2;

    private final Lab lab;

    public WrongClocks(Lab lab) {
        this.lab = lab;
    }

    /**
     * Sets the clocks wrong and right again.
     *
     * @param meanwhile ends when rows were committed while all clocks are wrong
     */
    public void set(Duration shift, Fault.Injection meanwhile) throws Exception {
        lab.keepRows(RETENTION_DAYS);
        Clocks clocks = lab.clocks();
        try {
            clocks.shift(shift, FLINK, COMPACTION);
            awaitCycles();
            clocks.shift(shift, CATALOG);
            meanwhile.inject();
            clocks.right(FLINK, COMPACTION);
            awaitCycles();
        } finally {
            clocks.right(FLINK, COMPACTION, CATALOG);
        }
    }

    private void awaitCycles() throws IOException, InterruptedException, NotRecoveredException {
        long enough = cycles() + CYCLES;
        Await.await(RECOVERY, "compaction finds the clocks wrong", () -> cycles() >= enough);
    }

    private long cycles() throws IOException {
        try (Stream<String> lines = Files.lines(lab.home().resolve("log/compaction.log"))) {
            return lines.filter(line -> line.contains(CLOCKS_DIFFER)).count();
        }
    }
}
