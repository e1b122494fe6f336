package io.cordwood.ingest.commit;

import io.cordwood.ingest.Lake;
import io.cordwood.ingest.OpenClients;
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
        try (OpenClients clients = new OpenClients()) {
            PublishOperator operator =
                    new PublishOperator(parameters, clients.add(lake.open()), clients.add(group.open()));
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
