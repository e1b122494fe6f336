package io.cordwood.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

final class CompactionTuningTest {
    @Command
    private static final class Program {
        @Mixin
        private CompactionTuning tuning;
    }

    private static CompactionTuning parsed(String... arguments) {
        Program program = new Program();
        new CommandLine(program).parseArgs(arguments);
        return program.tuning;
    }

    @Test
    void nothingBecomesDenseUnlessAskedFor() {
        assertThat(parsed().denseAfterDays()).isEmpty();
        assertThat(parsed("--dense-after-days", "0").denseAfterDays()).isEmpty();
        assertThat(parsed("--dense-after-days", "30").denseAfterDays()).hasValue(30);
    }

    @Test
    void anythingButANumberOfDaysIsRefused() {
        assertThatThrownBy(() -> parsed("--dense-after-days", "-1"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("'-1' is not a whole number from 0 to 100000");
    }
}
