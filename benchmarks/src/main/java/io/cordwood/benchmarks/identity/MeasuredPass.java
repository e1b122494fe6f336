package io.cordwood.benchmarks.identity;

/**
 * The cost of rows, from the first shipped to the last committed.
 *
 * @param seconds wall time
 * @param jobCpuSeconds CPU time of the job's JVM in that time
 * @param kafkaCpuSeconds CPU time of the broker
 */
record MeasuredPass(long rows, double seconds, double jobCpuSeconds, double kafkaCpuSeconds) {
    double rowsPerSecond() {
        return rows / seconds;
    }

    double rowsPerCpuSecondOfJob() {
        return rows / jobCpuSeconds;
    }

    double rowsPerCpuSecondOfKafka() {
        return rows / kafkaCpuSeconds;
    }

    @Override
    public String toString() {
        return "%,.0f rows/s, %.1f s of CPU".formatted(rowsPerSecond(), jobCpuSeconds);
    }
}
