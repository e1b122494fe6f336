package io.cordwood.benchmarks.stack;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** Requests that the ingest job flush some tenants' rows of a stream as soon as it has read them. Stateless. */
public final class FlushRequests {
    /** The account of a closed stack that may describe streams. */
    private static final String ACCOUNT = "query";

    private FlushRequests() {}

    /** Sends them to a stack. */
    public static void send(RunningStack stack, String stream, Set<String> tenants)
            throws IOException, InterruptedException {
        try (CatalogClient client = stack.catalogClient()) {
            send(stack.kafka(ACCOUNT), client, stream, tenants);
        }
    }

    /** Sends them to an open stack at these addresses. */
    public static void send(String kafka, String catalog, String stream, Set<String> tenants)
            throws IOException, InterruptedException {
        try (CatalogClient client = CatalogClient.connect(URI.create(catalog), Map.of())) {
            send(Map.of("bootstrap.servers", kafka), client, stream, tenants);
        }
    }

    private static void send(Map<String, Object> kafka, CatalogClient client, String stream, Set<String> tenants)
            throws IOException, InterruptedException {
        TableOffsets ends = ends(kafka, stream);
        tenants.forEach(tenant -> client.requestFlush(tenant, stream, ends));
    }

    private static TableOffsets ends(Map<String, Object> kafka, String stream)
            throws IOException, InterruptedException {
        try (Admin admin = Admin.create(kafka)) {
            TopicDescription topic =
                    admin.describeTopics(List.of(stream)).allTopicNames().get().get(stream);
            Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
            topic.partitions()
                    .forEach(partition ->
                            asked.put(new TopicPartition(stream, partition.partition()), OffsetSpec.latest()));
            Map<PartitionId, Long> ends = new HashMap<>();
            admin.listOffsets(asked)
                    .all()
                    .get()
                    .forEach((partition, end) ->
                            ends.put(new PartitionId(topic.topicId().toString(), partition.partition()), end.offset()));
            return TableOffsets.of(ends);
        } catch (ExecutionException e) {
            throw new IOException(
                    "Kafka at %s: %s"
                            .formatted(
                                    kafka.get("bootstrap.servers"), e.getCause().getMessage()),
                    e);
        }
    }
}
