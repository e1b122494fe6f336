package io.cordwood.ingest.builder;

import io.cordwood.ingest.report.TrafficCounts;
import io.cordwood.ingest.report.TrafficReporter;
import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.source.LogPartition;
import java.util.Collection;

/** Counts the rows and bytes of a subtask, and reports them with the positions. Used by the task thread only. */
final class TrafficMeter implements AutoCloseable {
    private final TrafficReporter reporter;
    private final JobClock clock;
    private final TrafficCounts counts;

    /** A meter that counts from now on. */
    TrafficMeter(TrafficReporter reporter, JobClock clock) {
        this.reporter = reporter;
        this.clock = clock;
        this.counts = new TrafficCounts(clock.ticks());
    }

    /** Counts a record. */
    void add(LogPartition partition, String tenantId, long rows, long bytes) {
        counts.add(partition.stream(), partition.partition(), tenantId, rows, bytes);
    }

    /** Reports the counts since the last report, and the positions of the partitions that have not ended. */
    void report(int subtask, Collection<PartitionBuffers> partitions) {
        for (PartitionBuffers buffers : partitions) {
            if (!buffers.hasEnded()) {
                LogPartition partition = buffers.partition();
                counts.stands(partition.stream(), partition.partition(), buffers.position());
            }
        }
        reporter.report(counts.take(Integer.toString(subtask), clock.wallMillis(), clock.ticks()));
    }

    @Override
    public void close() {
        reporter.close();
    }
}
