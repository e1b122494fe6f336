package io.cordwood.ingest.commit;

import io.cordwood.ingest.Lake;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;

/** Creates the operator that publishes archived-through. Its parallelism must be 1. */
public final class PublishOperatorFactory extends AbstractStreamOperatorFactory<Void>
        implements TwoInputStreamOperatorFactory<Acknowledgement, Progress, Void> {
    private static final long serialVersionUID = 1;

    private final Lake.Factory lake;
    private final GroupOffsets.Factory group;

    public PublishOperatorFactory(Lake.Factory lake, GroupOffsets.Factory group) {
        this.lake = lake;
        this.group = group;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <T extends StreamOperator<Void>> T createStreamOperator(StreamOperatorParameters<Void> parameters) {
        return (T) new PublishOperator(parameters, lake.open(), group.open());
    }

    @Override
    @SuppressWarnings("rawtypes") // the signature is Flink's
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return PublishOperator.class;
    }
}
