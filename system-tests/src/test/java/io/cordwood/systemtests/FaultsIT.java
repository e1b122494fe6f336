package io.cordwood.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.systemtests.agent.Mutation;
import io.cordwood.systemtests.agent.Trial;
import io.cordwood.systemtests.ledger.Findings;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void revokedTokensShipNothingThroughKills() {
        assertThat(run("--auth", "--quick")).isZero();
    }

    @Test
    @Tag("slow")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void revokedTokensShipNothingThroughTwentyKills() {
        assertThat(run("--auth")).isZero();
    }

    @Test
    @Tag("slow")
    @Timeout(value = 90, unit = TimeUnit.MINUTES)
    void nothingLosesOrDoublesAnything() {
        assertThat(run()).isZero();
    }

    @ParameterizedTest
    @Tag("slow")
    @EnumSource(Trial.class)
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void noTrialLosesOrDoublesAnything(Trial trial) {
        assertThat(run("--trial", trial.name())).isZero();
    }

    @ParameterizedTest
    @Tag("slow")
    @EnumSource(Mutation.class)
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void checkerNoticesEachMutation(Mutation mutation) {
        assertThat(run("--without", mutation.name())).isEqualTo(Findings.EXIT_CODE);
    }

    private static int run(String... arguments) {
        return new CommandLine(new FaultBench()).execute(arguments);
    }
}
