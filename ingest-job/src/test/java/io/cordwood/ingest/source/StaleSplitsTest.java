package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.source.ReadHistory.Position;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class StaleSplitsTest {
    private static final Uuid ID = new Uuid(1, 1);
    private static final Uuid OLD_ID = new Uuid(1, 2);

    private final StaleSplits gone = new StaleSplits();

    @Test
    void leavesOutNothingThatExists() {
        List<KafkaPartitionSplit> splits =
                List.of(split(0), new IdentifiedSplit(split(1), OLD_ID.toString(), Position.UNKNOWN));
        assertThat(gone.existing(splits, topic(2))).isEqualTo(splits);
        assertThat(gone.splits()).isEmpty();
    }

    @Test
    void refusesASplitThatABrokerDoesNotKnowYet() {
        assertThatThrownBy(() -> gone.existing(List.of(split(0), split(2)), topic(2)))
                .isInstanceOf(IngestException.class)
                .hasMessage(
                        "Topic 'logs' has 2 partitions in Kafka, but logs-2 was found before; restarting to ask again");
        assertThatThrownBy(() -> gone.existing(
                        List.of(new IdentifiedSplit(split(2), ID.toString(), Position.UNKNOWN)), topic(2)))
                .isInstanceOf(IngestException.class);
    }

    @Test
    void keepsASplitOfATopicMadeAnewUntilItsPartitionAppears() {
        KafkaPartitionSplit old = new IdentifiedSplit(split(2), OLD_ID.toString(), Position.UNKNOWN);
        assertThat(gone.existing(List.of(split(0), old), topic(2))).containsExactly(split(0));
        assertThat(gone.splits()).containsExactly(old);
        assertThatCode(() -> gone.requireGone(topic(2))).doesNotThrowAnyException();
        assertThatThrownBy(() -> gone.requireGone(topic(3)))
                .isInstanceOf(IngestException.class)
                .hasMessage("logs-2 was gone and exists again; restarting to read it from its beginning");
    }

    @Test
    void keepsTheSplitsOfADeletedTopicUntilItIsThereAgain() {
        KafkaPartitionSplit known = new IdentifiedSplit(split(0), ID.toString(), Position.UNKNOWN);
        assertThat(gone.existing(List.of(known, split(1)), Map.of())).isEmpty();
        assertThat(gone.splits()).containsExactly(known, split(1));
        assertThatCode(() -> gone.requireGone(Map.of())).doesNotThrowAnyException();
        assertThatThrownBy(() -> gone.requireGone(topic(1)))
                .isInstanceOf(IngestException.class)
                .hasMessage("logs-0 was gone and exists again; restarting to read it from its beginning");
    }

    private static KafkaPartitionSplit split(int partition) {
        return new KafkaPartitionSplit(new TopicPartition("logs", partition), 7);
    }

    private static Map<String, TopicDescription> topic(int partitions) {
        List<TopicPartitionInfo> infos = IntStream.range(0, partitions)
                .mapToObj(number -> new TopicPartitionInfo(number, Node.noNode(), List.of(), List.of()))
                .toList();
        return Map.of("logs", new TopicDescription("logs", false, infos, Set.of(), ID));
    }
}
