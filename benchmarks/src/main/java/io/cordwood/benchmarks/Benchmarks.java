package io.cordwood.benchmarks;

import io.cordwood.benchmarks.compaction.CompactionBench;
import io.cordwood.benchmarks.gateway.GatewayBench;
import io.cordwood.benchmarks.identity.IdentityBench;
import io.cordwood.benchmarks.ingest.IngestBench;
import io.cordwood.benchmarks.lifetime.LifetimeBench;
import io.cordwood.benchmarks.logblock.LogBlockBench;
import io.cordwood.benchmarks.pattern.PatternsBench;
import io.cordwood.benchmarks.query.QueryBench;
import io.cordwood.benchmarks.run.BenchCommandLine;
import io.cordwood.benchmarks.search.SearchBench;
import io.cordwood.benchmarks.startup.StartupBench;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Entry point of {@code bin/bench} for the benchmarks of this module: one subcommand for each. Benchmarks with fault
 * injection are in the module {@code system-tests}.
 */
@Command(
        name = "bin/bench",
        description = "Runs one benchmark; prints one JSON object per figure and a closing table.",
        mixinStandardHelpOptions = true,
        subcommands = {
            LogBlockBench.class,
            IngestBench.class,
            QueryBench.class,
            CompactionBench.class,
            LifetimeBench.class,
            StartupBench.class,
            IdentityBench.class,
            PatternsBench.class,
            SearchBench.class,
            GatewayBench.class
        })
public final class Benchmarks implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(run(new PrintWriter(System.err, true, StandardCharsets.UTF_8), args));
    }

    /** Runs a benchmark and returns its exit code. */
    static int run(PrintWriter err, String... args) {
        return BenchCommandLine.run(new CommandLine(new Benchmarks()), err, args);
    }

    @Override
    public Integer call() {
        throw BenchCommandLine.noBenchmark(spec.commandLine());
    }
}
