package io.cordwood.benchmarks.balance;

import io.cordwood.benchmarks.Report;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The balancer's planner on simulated traffic: LogStore's section 6.2, a day, the loss of a worker, and its cost. */
@Command(
        name = "balance",
        description =
                "The planner on simulated traffic: skew, a day with moving hot spots, loss of a worker; its cost.",
        mixinStandardHelpOptions = true)
public final class BalanceBench implements Callable<Integer> {
    private static final int QUICK_RUNS = 3;
    private static final int RUNS = 15;

    @Option(names = "--quick", description = "Ends within a minute: plans are timed less often.")
    private boolean quick;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the day and of the drift (default: 1).")
    private long seed = 1;

    @Option(names = "--plots", paramLabel = "DIR", description = "Also draws PNG plots into this directory.")
    private Path plots;

    private final Report report = new Report("balance", System.out);

    @Override
    public Integer call() throws Exception {
        Map<Double, Map<Control, SkewRun.Outcome>> skew = new SkewRun(report).run();
        Map<Control, double[]> day = new DayRun(report, seed).run();
        new WorkerLossRun(report).run();
        new ScaleRun(report, seed, quick ? QUICK_RUNS : RUNS).run();
        report.printTable();
        if (plots != null) {
            new Plots(plots).draw(skew, day);
        }
        return 0;
    }
}
