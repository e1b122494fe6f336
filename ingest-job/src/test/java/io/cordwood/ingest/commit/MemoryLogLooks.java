package io.cordwood.ingest.commit;

import io.cordwood.ingest.source.LogLook;
import io.cordwood.ingest.source.LogLooks;
import io.cordwood.ingest.source.OpenTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Topics in memory; none at first. */
final class MemoryLogLooks implements LogLooks {
    final Map<String, LogLook> looks = new HashMap<>();
    final Map<Integer, List<OpenTransaction>> transactions = new HashMap<>();

    @Override
    public Optional<LogLook> look(String stream) {
        return Optional.ofNullable(looks.get(stream));
    }

    @Override
    public List<OpenTransaction> openTransactions(String stream, int partition) {
        return transactions.getOrDefault(partition, List.of());
    }

    @Override
    public void close() {}
}
