package io.cordwood.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @Tag("slow")
    @CsvSource({
        "OFFSETS_CHECK, kill -9 flink",
        "PINNED_METADATA, second instance",
        "TABLES_BEFORE_ARCHIVED_THROUGH, kill -9 flink"
    })
    void checkerNoticesThatAProtectionIsGone(String protection, String faults) {
        assertThat(run(
                        "--rows",
                        "100000",
                        "--tenants",
                        "60",
                        "--rate",
                        "1500",
                        "--only",
                        faults,
                        "--without",
                        protection))
                .isEqualTo(FaultBench.FOUND);
    }

    private static int run(String... arguments) {
        return new CommandLine(new FaultBench()).execute(arguments);
    }
}
