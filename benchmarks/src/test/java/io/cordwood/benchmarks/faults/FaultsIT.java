package io.cordwood.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The main road under faults, as {@code bin/bench faults} runs it. */
final class FaultsIT {
    @BeforeAll
    static void findTheProject() {
        System.setProperty(
                "cordwood.root", Path.of("..").toAbsolutePath().normalize().toString());
    }

    @Test
    void killsLoseAndDoubleNothing() {
        assertThat(run("--quick")).isZero();
    }

    @Test
    @Tag("slow")
    void nothingLosesOrDoublesAnything() {
        assertThat(run()).isZero();
    }

    @Test
    @Tag("slow")
    void checkerNoticesThatTheOffsetsCheckIsGone() {
        assertThat(run("--rows", "150000", "--rate", "1500", "--only", "flink", "--without", "OFFSETS_CHECK"))
                .isEqualTo(1);
    }

    private static int run(String... arguments) {
        return new CommandLine(new FaultBench()).execute(arguments);
    }
}
