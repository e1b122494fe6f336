package io.cordwood.benchmarks.peer;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for the number of runs of each query. */
public final class RepeatOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    private int repeat;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "Warm runs of each query (default: 15, in `query --quick` 2).")
    void repeat(int runs) {
        if (runs < 1) {
            throw new ParameterException(spec.commandLine(), "--repeat: %d is not a number of runs".formatted(runs));
        }
        repeat = runs;
    }

    /**
     * The number of runs of each query.
     *
     * @param otherwise the default
     */
    public int runs(int otherwise) {
        return repeat > 0 ? repeat : otherwise;
    }
}
