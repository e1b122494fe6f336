package io.cordwood.balancer.service;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;

/**
 * The balancer's access to Kafka. Thread-safe. Calls block. The client ends them after ten seconds by the wall clock,
 * which is longer if the clock is set back. So a call also ends after 15 seconds in any case, and a client that did not
 * answer in time is replaced.
 */
final class KafkaView implements AutoCloseable {
    private static final String CLIENT_TIMEOUT_MILLIS = "10000";
    private static final String PRODUCER_RATE = "producer_byte_rate";
    /** Kafka's controller refuses requests with many more changes. */
    private static final int MOST_ALTERATIONS = 1_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final Properties properties = new Properties();
    private final String groupId;
    private final Duration timeout;
    /** Whether clients log in. There a quota of a client id alone is weaker than the one that every user has. */
    private final boolean users;

    private Admin admin;

    KafkaView(Properties client, String groupId) {
        this(
                client,
                groupId,
                TIMEOUT,
                client.getProperty("security.protocol", "").startsWith("SASL"));
    }

    /**
     * @param timeout time limit for a call, besides the client's own
     * @param users whether clients log in
     */
    KafkaView(Properties client, String groupId, Duration timeout, boolean users) {
        properties.put("request.timeout.ms", CLIENT_TIMEOUT_MILLIS);
        properties.put("default.api.timeout.ms", CLIENT_TIMEOUT_MILLIS);
        properties.putAll(client);
        this.groupId = groupId;
        this.timeout = timeout;
        this.users = users;
        this.admin = Admin.create(properties);
    }

    private synchronized Admin admin() {
        return admin;
    }

    private <T> T await(Function<Admin, KafkaFuture<T>> question) throws InterruptedException, ExecutionException {
        Admin asked = admin();
        try {
            return question.apply(asked).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException) {
                replace(asked);
            }
            throw e;
        } catch (TimeoutException e) {
            replace(asked);
            throw new ExecutionException("Kafka's client gave no answer within " + timeout, e);
        }
    }

    private synchronized void replace(Admin silent) {
        if (admin == silent) {
            admin = Admin.create(properties);
            silent.close(Duration.ZERO);
        }
    }

    Offsets offsets(String stream, long nowMillis, long ticks) throws InterruptedException, ExecutionException {
        List<TopicPartition> partitions =
                await(client -> client.describeTopics(List.of(stream))
                                .topicNameValues()
                                .get(stream))
                        .partitions()
                        .stream()
                        .map(info -> new TopicPartition(stream, info.partition()))
                        .toList();
        Map<Integer, Long> ends = new HashMap<>();
        await(client -> client.listOffsets(
                                partitions.stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest())))
                        .all())
                .forEach((partition, end) -> ends.put(partition.partition(), end.offset()));
        Map<Integer, Long> archived = new HashMap<>();
        for (Map.Entry<TopicPartition, OffsetAndMetadata> offset : await(
                        client -> client.listConsumerGroupOffsets(groupId).partitionsToOffsetAndMetadata())
                .entrySet()) {
            if (offset.getKey().topic().equals(stream) && offset.getValue() != null) {
                archived.put(offset.getKey().partition(), offset.getValue().offset());
            }
        }
        return new Offsets(nowMillis, ticks, ends, archived);
    }

    /** Bytes of each partition on a broker's disk: batches as producers sent them. */
    Map<Integer, Long> storedBytes(String stream) throws InterruptedException, ExecutionException {
        Map<Integer, Long> stored = new HashMap<>();
        logDirectories().values().stream()
                .flatMap(directories -> directories.values().stream())
                .flatMap(directory -> directory.replicaInfos().entrySet().stream())
                .filter(replica -> replica.getKey().topic().equals(stream))
                // Replicas have the same size, or are about to.
                .forEach(replica -> stored.merge(
                        replica.getKey().partition(), replica.getValue().size(), Math::max));
        return stored;
    }

    /** The volumes of the brokers' log directories; none of a broker that does not know its space. */
    List<BrokerDisks.Disk> disks() throws InterruptedException, ExecutionException {
        List<BrokerDisks.Disk> disks = new ArrayList<>();
        logDirectories()
                .forEach((broker, directories) -> directories.forEach((name, directory) -> {
                    if (directory.totalBytes().isPresent()
                            && directory.usableBytes().isPresent()) {
                        disks.add(new BrokerDisks.Disk(
                                broker,
                                name,
                                directory.totalBytes().getAsLong(),
                                directory.usableBytes().getAsLong()));
                    }
                }));
        return disks;
    }

    /** By broker and name. */
    private Map<Integer, Map<String, LogDirDescription>> logDirectories()
            throws InterruptedException, ExecutionException {
        List<Integer> brokers = await(client -> client.describeCluster().nodes()).stream()
                .map(Node::id)
                .toList();
        return await(client -> client.describeLogDirs(brokers).allDescriptions());
    }

    /** Raises the topic's number of partitions to {@code total}. */
    void addPartitions(String stream, int total) throws InterruptedException, ExecutionException {
        await(client -> client.createPartitions(Map.of(stream, NewPartitions.increaseTo(total)))
                .all());
    }

    /** Bytes per second that clients may send, by client id, of quotas for client ids whoever logs in. */
    Map<String, Double> quotas() throws InterruptedException, ExecutionException {
        Map<String, Double> quotas = new HashMap<>();
        List<ClientQuotaFilterComponent> parts = new ArrayList<>();
        parts.add(ClientQuotaFilterComponent.ofEntityType(ClientQuotaEntity.CLIENT_ID));
        if (users) {
            parts.add(ClientQuotaFilterComponent.ofDefaultEntity(ClientQuotaEntity.USER));
        }
        ClientQuotaFilter ofClients = ClientQuotaFilter.containsOnly(parts);
        await(client -> client.describeClientQuotas(ofClients).entities()).forEach((entity, values) -> {
            String client = entity.entries().get(ClientQuotaEntity.CLIENT_ID);
            if (client != null && values.containsKey(PRODUCER_RATE)) {
                quotas.put(client, values.get(PRODUCER_RATE));
            }
        });
        return quotas;
    }

    /** Sets quotas of client ids, as whole bytes and at least one, as Kafka requires, and removes others. */
    void alterQuotas(Map<String, Double> set, List<String> remove) throws InterruptedException, ExecutionException {
        List<ClientQuotaAlteration> alterations = new ArrayList<>();
        set.forEach((client, rate) -> alterations.add(alteration(client, Math.max(1, Math.floor(rate)))));
        remove.forEach(client -> alterations.add(alteration(client, null)));
        // Sends all requests before it waits for one, so that a refused one does not block the others.
        await(client -> {
            List<KafkaFuture<Void>> requests = new ArrayList<>();
            for (int from = 0; from < alterations.size(); from += MOST_ALTERATIONS) {
                int to = Math.min(from + MOST_ALTERATIONS, alterations.size());
                requests.add(
                        client.alterClientQuotas(alterations.subList(from, to)).all());
            }
            return KafkaFuture.allOf(requests.toArray(KafkaFuture<?>[]::new));
        });
    }

    private ClientQuotaAlteration alteration(String client, Double rate) {
        Map<String, String> entity = new HashMap<>(Map.of(ClientQuotaEntity.CLIENT_ID, client));
        if (users) {
            entity.put(ClientQuotaEntity.USER, null);
        }
        return new ClientQuotaAlteration(
                new ClientQuotaEntity(entity), List.of(new ClientQuotaAlteration.Op(PRODUCER_RATE, rate)));
    }

    @Override
    public void close() {
        admin().close(timeout);
    }
}
