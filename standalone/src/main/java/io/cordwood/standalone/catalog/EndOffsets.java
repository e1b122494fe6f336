package io.cordwood.standalone.catalog;

import io.cordwood.catalog.PartitionId;
import io.cordwood.catalog.TableOffsets;
import io.cordwood.standalone.CordwoodException;
import io.cordwood.standalone.home.Errors;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Where streams end in Kafka now: records of open transactions included, whether they will be committed or not. */
public final class EndOffsets {
    private static final int PATIENCE_MILLIS = 10_000;

    private EndOffsets() {}

    /**
     * The end offsets by stream; a stream without a topic has none.
     *
     * @param client further properties of the Kafka client
     * @throws CordwoodException if Kafka does not answer
     */
    public static Map<String, TableOffsets> byStream(String kafka, Properties client, Collection<String> streams)
            throws InterruptedException {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("bootstrap.servers", kafka);
        properties.put("request.timeout.ms", PATIENCE_MILLIS);
        properties.put("default.api.timeout.ms", PATIENCE_MILLIS);
        try (Admin admin = Admin.create(properties)) {
            Set<String> topics = new TreeSet<>(streams);
            topics.retainAll(admin.listTopics().names().get());
            Map<String, TableOffsets> ends = new TreeMap<>();
            for (TopicDescription topic :
                    admin.describeTopics(topics).allTopicNames().get().values()) {
                ends.put(topic.name(), ends(admin, topic));
            }
            return ends;
        } catch (ExecutionException e) {
            throw new CordwoodException(
                    "Kafka at %s does not answer: %s".formatted(kafka, Errors.text(e.getCause())), e);
        } catch (KafkaException e) {
            throw new CordwoodException("cannot use Kafka at %s: %s".formatted(kafka, Errors.text(e)), e);
        }
    }

    private static TableOffsets ends(Admin admin, TopicDescription topic)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        topic.partitions()
                .forEach(partition ->
                        asked.put(new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest()));
        Map<PartitionId, Long> ends = new HashMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end :
                admin.listOffsets(asked).all().get().entrySet()) {
            ends.put(
                    new PartitionId(topic.topicId().toString(), end.getKey().partition()),
                    end.getValue().offset());
        }
        return TableOffsets.of(ends);
    }
}
