package io.cordwood.benchmarks.run;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The command line of {@code bin/bench}: error output and exit codes. Stateless. */
public final class BenchCommandLine {
    private BenchCommandLine() {}

    /**
     * Runs a command and returns its exit code: 1 with a one-line error if it fails; 2 with a one-line error for wrong
     * usage.
     *
     * @param benchmarks has the benchmarks as subcommands
     */
    public static int run(CommandLine benchmarks, PrintWriter err, String... args) {
        benchmarks.setUsageHelpAutoWidth(true);
        benchmarks.setParameterExceptionHandler((e, arguments) -> {
            String command = e.getCommandLine().getCommandSpec().qualifiedName();
            err.printf("bench: %s (see %s --help)%n", firstLine(e), command);
            return CommandLine.ExitCode.USAGE;
        });
        benchmarks.setExecutionExceptionHandler((e, command, parsed) -> {
            err.println("bench: " + firstLine(e));
            return CommandLine.ExitCode.SOFTWARE;
        });
        return benchmarks.execute(args);
    }

    /** Fails a call that names no benchmark. */
    public static ParameterException noBenchmark(CommandLine benchmarks) {
        return new ParameterException(benchmarks, "which benchmark?");
    }

    private static String firstLine(Exception e) {
        return e.getMessage() == null
                ? e.toString()
                : e.getMessage().lines().findFirst().orElse(e.toString());
    }
}
