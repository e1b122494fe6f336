package io.cordwood.benchmarks.balance;

import io.cordwood.benchmarks.report.Report;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The balancer's planner on simulated traffic (LogStore's section 6.2, a day, the loss of a worker, and the cost of
 * planning), or the balancer on a real stack.
 */
@Command(
        name = "balance",
        description =
                "The planner on simulated traffic: skew, a day with moving hot spots, loss of a worker, cost of planning. With --live, the balancer on a real stack.",
        mixinStandardHelpOptions = true)
public final class BalanceBench implements Callable<Integer> {
    private static final int QUICK_RUNS = 3;
    private static final int RUNS = 15;

    @Option(
            names = "--quick",
            description = "Ends within a minute: times fewer plans; with --live, runs only CHANGES with fewer tables.")
    private boolean quick;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the day and of the drift (default: 1).")
    private long seed = 1;

    @Option(names = "--plots", paramLabel = "DIR", description = "Also draws PNG plots into this directory.")
    private Path plots;

    @Option(names = "--live", description = "Runs the balancer on a real stack instead of the simulation.")
    private boolean live;

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "PART",
            description = "With --live, runs only these: ${COMPLETION-CANDIDATES} (default: BURST,CHANGES).")
    private Set<LivePart> parts = EnumSet.noneOf(LivePart.class);

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "5",
            description = "Duration of OVERLOAD (default: 5).")
    private int minutes;

    @Spec
    private CommandSpec spec;

    private final Report report = new Report("balance", System.out);
    private final LiveRun liveRun;

    /** @param liveRun what {@code --live} runs */
    public BalanceBench(LiveRun liveRun) {
        this.liveRun = liveRun;
    }

    @Override
    public Integer call() throws Exception {
        if (!live && !parts.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--parts are those of --live");
        }
        if (live) {
            int code = liveRun.run(report, quick, seed, live(), Duration.ofMinutes(minutes));
            report.printTable();
            return code;
        }
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

    /** The parts to run; a quick run omits parts that take longer than a minute. */
    private Set<LivePart> live() {
        if (parts.isEmpty()) {
            return quick ? EnumSet.of(LivePart.CHANGES) : EnumSet.of(LivePart.BURST, LivePart.CHANGES);
        }
        Set<LivePart> requested = EnumSet.copyOf(parts);
        for (LivePart part : List.copyOf(requested)) {
            if (quick && !part.isQuick()) {
                System.err.printf("bench: --quick omits %s, which takes longer than a minute%n", part);
                requested.remove(part);
            }
        }
        if (requested.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--quick omits all of --parts");
        }
        return requested;
    }
}
