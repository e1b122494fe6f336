package io.cordwood.ingest;

import io.cordwood.ingest.builder.DeclaredColumns;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.record.policy.TextColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The streams and their columns. Immutable.
 *
 * @param streams the streams, each a Kafka topic
 * @param columns columns that every new table has
 * @param text names of text columns besides the usual ones, lower-case, by stream
 * @param defaultTenant the tenant of records that name none; absent: such records go to the dead-letter topic
 */
public record StreamOptions(
        List<String> streams, DeclaredColumns columns, Map<String, Set<String>> text, Optional<String> defaultTenant) {
    public StreamOptions {
        streams = List.copyOf(streams);
        text = text.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> Set.copyOf(entry.getValue())));
    }

    /** One stream, without declarations. */
    public static StreamOptions of(String stream) {
        return new StreamOptions(List.of(stream), DeclaredColumns.NONE, Map.of(), Optional.empty());
    }

    /** The rules by which records become rows. */
    DecodingPolicy policy() {
        Map<String, TextColumns> byStream = text.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> TextColumns.withNames(entry.getValue())));
        return DecodingPolicy.DEFAULT
                .withDefaultTenant(defaultTenant.orElse(""))
                .withTextColumns(byStream);
    }

    /** The arguments that {@link StreamFlags} reads as these. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of("--streams", String.join(",", streams)));
        if (!columns.byStream().isEmpty()) {
            arguments.addAll(List.of("--columns", columns.text()));
        }
        new TreeMap<>(text)
                .forEach((stream, names) ->
                        arguments.addAll(List.of("--text", stream + "=" + String.join(",", new TreeSet<>(names)))));
        defaultTenant.ifPresent(tenant -> arguments.addAll(List.of("--default-tenant", tenant)));
        return arguments;
    }
}
