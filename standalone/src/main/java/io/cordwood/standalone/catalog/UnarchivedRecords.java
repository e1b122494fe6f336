package io.cordwood.standalone.catalog;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** The number of records in Kafka that are not known to be in tables: end offsets minus archived-through. */
public final class UnarchivedRecords {
    private static final int TIMEOUT_MILLIS = 10_000;

    private UnarchivedRecords() {}

    /**
     * Counts them by stream.
     *
     * @param client further properties of the Kafka client
     * @throws CordwoodException if Kafka does not answer
     * @throws CatalogException if the catalog does not answer
     */
    public static Map<String, Long> byStream(
            String kafka, Properties client, List<String> streams, CatalogClient catalog) throws InterruptedException {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("bootstrap.servers", kafka);
        properties.put("request.timeout.ms", TIMEOUT_MILLIS);
        properties.put("default.api.timeout.ms", TIMEOUT_MILLIS);
        try (Admin admin = Admin.create(properties)) {
            Map<String, Long> records = new TreeMap<>();
            for (TopicDescription topic :
                    admin.describeTopics(streams).allTopicNames().get().values()) {
                records.put(topic.name(), unarchived(admin, topic, catalog));
            }
            return records;
        } catch (ExecutionException e) {
            throw new CordwoodException(
                    "Kafka at %s does not answer: %s".formatted(kafka, Errors.text(e.getCause())), e);
        } catch (KafkaException e) {
            throw new CordwoodException("cannot use Kafka at %s: %s".formatted(kafka, Errors.text(e)), e);
        }
    }

    private static long unarchived(Admin admin, TopicDescription topic, CatalogClient catalog)
            throws ExecutionException, InterruptedException {
        Map<Integer, Long> starts = offsets(admin, topic, OffsetSpec.earliest());
        Map<Integer, Long> ends = offsets(admin, topic, OffsetSpec.latest());
        Map<PartitionId, Long> archived = catalog.archivedThrough(topic.name());
        String topicId = topic.topicId().toString();
        return ends.entrySet().stream()
                .mapToLong(end -> end.getValue()
                        - Math.max(
                                starts.get(end.getKey()),
                                archived.getOrDefault(new PartitionId(topicId, end.getKey()), 0L)))
                .sum();
    }

    private static Map<Integer, Long> offsets(Admin admin, TopicDescription topic, OffsetSpec spec)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        Collection<TopicPartitionInfo> partitions = topic.partitions();
        partitions.forEach(partition -> asked.put(new TopicPartition(topic.name(), partition.partition()), spec));
        Map<Integer, Long> offsets = new HashMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> entry :
                admin.listOffsets(asked).all().get().entrySet()) {
            offsets.put(entry.getKey().partition(), entry.getValue().offset());
        }
        return offsets;
    }
}
