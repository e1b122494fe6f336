package io.cordwood.benchmarks;

import io.cordwood.benchmarks.faults.FaultBench;
import io.cordwood.benchmarks.faults.RecoveryBench;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of {@code bin/bench}: one subcommand for each benchmark. */
@Command(
        name = "bin/bench",
        description = "Runs one benchmark; prints one JSON object a figure and a closing table.",
        mixinStandardHelpOptions = true,
        subcommands = {LogBlockBench.class, IngestBench.class, QueryBench.class, FaultBench.class, RecoveryBench.class})
public final class Benchmarks implements Callable<Integer> {
    public static void main(String[] args) {
        CommandLine commandLine = new CommandLine(new Benchmarks());
        commandLine.setExecutionExceptionHandler((e, command, parsed) -> {
            System.err.println("bench: " + (e.getMessage() == null ? e : e.getMessage()));
            return 1;
        });
        System.exit(commandLine.execute(args));
    }

    @Override
    public Integer call() {
        System.err.println("bench: which one? (see bin/bench --help)");
        return 2;
    }
}
