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
 * Shifts the clocks of job and compaction, then also the catalog's, then only the catalog's. Each phase lasts for whole
 * compaction cycles, in which every LogBlock would expire if only the wrong clock counted. For one thread.
 */
public final class WrongClocks {
    /** Longer than the retention. */
    public static final Duration AHEAD = Duration.ofDays(20 * 365);

    public static final Duration BACK = Duration.ofHours(-3);

    /** No row of a {@link NumberedRow.Maker} is that old. */
    private static final int RETENTION_DAYS = 4_000;

    private static final Duration RECOVERY = Duration.ofMinutes(5);
    /** Compaction's log message at the beginning of a cycle in which its clock and the catalog's differ. */
    private static final String CLOCKS_DIFFER = "by the catalog service; ";
    /** The first cycle is over when the second begins. */
    private static final int CYCLES = 2;

    private final Lab lab;

    public WrongClocks(Lab lab) {
        this.lab = lab;
    }

    /**
     * Shifts the clocks and restores them.
     *
     * @param meanwhile returns when rows were committed under wrong clocks
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
