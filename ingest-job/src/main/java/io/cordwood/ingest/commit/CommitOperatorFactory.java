package io.cordwood.ingest.commit;

import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.storage.TableStorage;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Creates the operator that commits flushes, keyed by {@link TableKey}. */
public final class CommitOperatorFactory extends AbstractStreamOperatorFactory<Acknowledgement>
        implements OneInputStreamOperatorFactory<TableFlush, Acknowledgement> {
    private static final long serialVersionUID = 1;

    private final int threads;
    private final TableStorage.Factory storage;
    private final JobClock.Factory clocks;

    /**
     * Commits through this storage.
     *
     * @param threads number of tables that a subtask commits to concurrently
     */
    public CommitOperatorFactory(int threads, TableStorage.Factory storage) {
        this(threads, storage, JobClock::ofMachine);
    }

    CommitOperatorFactory(int threads, TableStorage.Factory storage, JobClock.Factory clocks) {
        this.threads = threads;
        this.storage = storage;
        this.clocks = clocks;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <T extends StreamOperator<Acknowledgement>> T createStreamOperator(
            StreamOperatorParameters<Acknowledgement> parameters) {
        return (T) new CommitOperator(parameters, threads, storage.open(), clocks);
    }

    @Override
    @SuppressWarnings("rawtypes") // the signature is Flink's
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return CommitOperator.class;
    }
}
