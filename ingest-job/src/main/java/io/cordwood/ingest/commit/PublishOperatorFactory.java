package io.cordwood.ingest.commit;

import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.runtime.OpenResources;
import io.cordwood.ingest.source.TopicIds;
import io.cordwood.ingest.source.TopicInspector;
import io.cordwood.ingest.storage.TableStorage;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;

/** Creates the operator that publishes archived-through. Its parallelism must be 1. */
public final class PublishOperatorFactory extends AbstractStreamOperatorFactory<Void>
        implements TwoInputStreamOperatorFactory<Acknowledgement, Progress, Void> {
    private static final long serialVersionUID = 1;

    private final ArrayList<String> streams;
    private final TableStorage.Factory storage;
    private final GroupOffsets.Factory group;
    private final TopicIds.Factory topics;
    private final TopicInspector.Factory logs;
    private final JobClock.Factory clocks;

    /** @param streams streams that the job reads */
    public PublishOperatorFactory(
            List<String> streams,
            TableStorage.Factory storage,
            GroupOffsets.Factory group,
            TopicIds.Factory topics,
            TopicInspector.Factory logs) {
        this(streams, storage, group, topics, logs, JobClock::ofMachine);
    }

    PublishOperatorFactory(
            List<String> streams,
            TableStorage.Factory storage,
            GroupOffsets.Factory group,
            TopicIds.Factory topics,
            TopicInspector.Factory logs,
            JobClock.Factory clocks) {
        this.streams = new ArrayList<>(streams);
        this.storage = storage;
        this.group = group;
        this.topics = topics;
        this.logs = logs;
        this.clocks = clocks;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <T extends StreamOperator<Void>> T createStreamOperator(StreamOperatorParameters<Void> parameters) {
        try (OpenResources clients = new OpenResources()) {
            PublishOperator operator = new PublishOperator(
                    parameters,
                    streams,
                    clients.add(storage.open()),
                    clients.add(group.open()),
                    clients.add(topics.open()),
                    clients.add(logs.open()),
                    clocks);
            clients.keep();
            return (T) operator;
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // the signature is Flink's
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return PublishOperator.class;
    }
}
