package io.cordwood.standalone.catalog;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** The current end offsets of streams in Kafka. They include records of open transactions, committed later or not. */
public final class EndOffsets {
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int ATTEMPTS = 5;

    private EndOffsets() {}

    /**
     * The end offsets by stream. Earlier topics of the same name count as ended: the ingest job may still hold their
     * rows.
     *
     * @param client further properties of the Kafka client
     * @param known offsets of all known partitions of a stream, including those of earlier topics
     * @throws CordwoodException if Kafka does not answer
     */
    public static Map<String, TableOffsets> byStream(
            String kafka, Properties client, Collection<String> streams, Function<String, TableOffsets> known)
            throws InterruptedException {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("bootstrap.servers", kafka);
        properties.put("request.timeout.ms", TIMEOUT_MILLIS);
        properties.put("default.api.timeout.ms", TIMEOUT_MILLIS);
        try (Admin admin = Admin.create(properties)) {
            Map<String, TopicDescription> topics = topics(admin, streams);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                // Read before the ends, so that known offsets of other topics belong to earlier ones.
                Map<String, TableOffsets> all = new TreeMap<>();
                streams.forEach(stream -> all.put(stream, known.apply(stream)));
                for (Map.Entry<String, TableOffsets> stream : all.entrySet()) {
                    TopicDescription topic = topics.get(stream.getKey());
                    TableOffsets ends = topic == null ? TableOffsets.NONE : ends(admin, topic);
                    stream.setValue(ends.withEarlierTopics(stream.getValue()));
                }
                Map<String, TopicDescription> after = topics(admin, streams);
                if (after.equals(topics)) {
                    return all;
                }
                topics = after;
            }
            throw new CordwoodException(
                    "the topics of streams %s changed while their ends were read; try again".formatted(streams));
        } catch (ExecutionException e) {
            throw new CordwoodException(
                    "Kafka at %s does not answer: %s".formatted(kafka, Errors.text(e.getCause())), e);
        } catch (KafkaException e) {
            throw new CordwoodException("cannot use Kafka at %s: %s".formatted(kafka, Errors.text(e)), e);
        }
    }

    /** The existing topics by name. */
    private static Map<String, TopicDescription> topics(Admin admin, Collection<String> streams)
            throws ExecutionException, InterruptedException {
        Set<String> names = new TreeSet<>(streams);
        names.retainAll(admin.listTopics().names().get());
        return admin.describeTopics(names).allTopicNames().get();
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
