package io.cordwood.systemtests;

import io.cordwood.benchmarks.balance.BalanceBench;
import io.cordwood.benchmarks.run.BenchCommandLine;
import io.cordwood.systemtests.balance.LiveBalance;
import io.cordwood.systemtests.hot.HotBench;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Entry point of {@code bin/bench} for the runs with faults: one subcommand for each. */
@Command(
        name = "bin/bench",
        description = "Runs one benchmark; prints one JSON object per figure and a closing table.",
        mixinStandardHelpOptions = true,
        subcommands = {BoundsBench.class, FaultBench.class, HotBench.class, RecoveryBench.class})
public final class SystemTests implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(run(new PrintWriter(System.err, true, StandardCharsets.UTF_8), args));
    }

    /** Runs a benchmark and returns its exit code. */
    static int run(PrintWriter err, String... args) {
        return BenchCommandLine.run(commandLine(), err, args);
    }

    static CommandLine commandLine() {
        BalanceBench balance = new BalanceBench(
                (report, quick, seed, parts, overload) -> new LiveBalance(report, quick, seed, parts, overload).run());
        return new CommandLine(new SystemTests()).addSubcommand(balance);
    }

    @Override
    public Integer call() {
        throw BenchCommandLine.noBenchmark(spec.commandLine());
    }
}
