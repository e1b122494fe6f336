package io.cordwood.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

final class ProgramTest {
    private final StringWriter err = new StringWriter();

    @Command(name = "Lift", mixinStandardHelpOptions = true)
    private static final class Lift implements Callable<Integer> {
        @Option(names = "--floor", required = true, converter = Positive.class)
        private int floor;

        @Override
        public Integer call() throws IOException {
            return switch (floor) {
                case 1 -> 0;
                case 2 -> throw new IOException("the door is open");
                default -> throw new IllegalStateException("it is stuck");
            };
        }
    }

    private int run(String... arguments) {
        return Program.run("lift", new Lift(), Set.of(IOException.class), new PrintWriter(err, true), arguments);
    }

    @Test
    void returnsTheCodeOfTheCommand() {
        assertThat(run("--floor", "1")).isZero();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theLastValueCounts() {
        assertThat(run("--floor", "3", "--floor", "1")).isZero();
    }

    @Test
    void wrongArgumentsAreOneLineAndCodeTwo() {
        assertThat(run("--floor", "0")).isEqualTo(2);
        assertThat(err.toString())
                .hasLineCount(1)
                .startsWith("lift: ")
                .contains("--floor", "'0' is not a whole number from 1", "(see --help)");
    }

    @Test
    void anExpectedFailureIsItsMessage() {
        assertThat(run("--floor", "2")).isEqualTo(1);
        assertThat(err.toString()).isEqualToNormalizingNewlines("lift: the door is open\n");
    }

    @Test
    void anotherFailureIsNamed() {
        assertThat(run("--floor", "3")).isEqualTo(1);
        assertThat(err.toString()).isEqualToNormalizingNewlines("lift: java.lang.IllegalStateException: it is stuck\n");
    }

    @Test
    void parsesWithoutRunning() {
        assertThat(Program.parse(new Lift(), "--floor", "3"))
                .hasValueSatisfying(lift -> assertThat(lift.floor).isEqualTo(3));
        assertThat(Program.parse(new Lift(), "--help")).isEmpty();
        assertThatThrownBy(() -> Program.parse(new Lift())).isInstanceOf(ParameterException.class);
    }
}
