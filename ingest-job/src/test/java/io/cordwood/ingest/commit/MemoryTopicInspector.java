package io.cordwood.ingest.commit;

import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.source.OpenTransaction;
import io.cordwood.ingest.source.TopicInspector;
import io.cordwood.ingest.source.TopicState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Topics in memory; none at first. */
final class MemoryTopicInspector implements TopicInspector {
    final Map<String, TopicState> states = new HashMap<>();
    final Map<Integer, List<OpenTransaction>> transactions = new HashMap<>();

    final Set<String> unreachable = new HashSet<>();

    @Override
    public Optional<TopicState> inspect(String stream) {
        if (unreachable.contains(stream)) {
            throw new IngestException("Kafka does not answer for topic '%s'".formatted(stream));
        }
        return Optional.ofNullable(states.get(stream));
    }

    @Override
    public List<OpenTransaction> openTransactions(String stream, int partition) {
        return transactions.getOrDefault(partition, List.of());
    }

    @Override
    public void close() {}
}
