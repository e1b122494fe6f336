package io.cordwood.benchmarks.balance;

import io.cordwood.benchmarks.report.Report;
import java.time.Duration;
import java.util.Set;

/** Runs the balancer on a real stack. The module {@code system-tests} implements it with its own stack. */
@FunctionalInterface
public interface LiveRun {
    /**
     * Runs the parts and adds their figures to the report.
     *
     * @param overload duration of {@link LivePart#OVERLOAD}
     * @return the exit code of the benchmark
     */
    int run(Report report, boolean quick, long seed, Set<LivePart> parts, Duration overload) throws Exception;
}
