package io.cordwood.benchmarks;

import io.cordwood.benchmarks.balance.BalanceBench;
import io.cordwood.benchmarks.faults.BoundsBench;
import io.cordwood.benchmarks.faults.FaultBench;
import io.cordwood.benchmarks.faults.HotBench;
import io.cordwood.benchmarks.faults.RecoveryBench;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point of {@code bin/bench}: one subcommand for each benchmark. */
@Command(
        name = "bin/bench",
        description = "Runs one benchmark; prints one JSON object a figure and a closing table.",
        mixinStandardHelpOptions = true,
        subcommands = {
            LogBlockBench.class,
            IngestBench.class,
            QueryBench.class,
            BalanceBench.class,
            BoundsBench.class,
            CompactionBench.class,
            FaultBench.class,
            HotBench.class,
            RecoveryBench.class
        })
public final class Benchmarks implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(run(new PrintWriter(System.err, true, StandardCharsets.UTF_8), args));
    }

    /**
     * Runs a benchmark and returns its exit code: 1, and one line that says why, if it fails; 2 if it was called wrongly.
     */
    static int run(PrintWriter err, String... args) {
        CommandLine commandLine = new CommandLine(new Benchmarks());
        commandLine.setUsageHelpAutoWidth(true);
        commandLine.setParameterExceptionHandler((e, arguments) -> {
            String command = e.getCommandLine().getCommandSpec().qualifiedName();
            err.printf("bench: %s (see %s --help)%n", firstLine(e), command);
            return CommandLine.ExitCode.USAGE;
        });
        commandLine.setExecutionExceptionHandler((e, command, parsed) -> {
            err.println("bench: " + firstLine(e));
            return CommandLine.ExitCode.SOFTWARE;
        });
        return commandLine.execute(args);
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which benchmark?");
    }

    private static String firstLine(Exception e) {
        return e.getMessage() == null
                ? e.toString()
                : e.getMessage().lines().findFirst().orElse(e.toString());
    }
}
