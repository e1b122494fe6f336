package io.cordwood.standalone.service;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the user asked of a stack. Immutable.
 *
 * @param streams names of the streams, each a Kafka topic
 * @param columns declared columns: stream to {@code name:type,...}
 * @param text text columns: stream to {@code name,...}
 * @param partitions how many partitions a topic gets when it is made
 * @param defaultTenant whose the records without a tenant are
 * @param kafka {@code host:port} of a real Kafka in place of the embedded one
 * @param redis URL of a real Redis in place of the embedded one
 * @param warehouse where LogBlocks go instead of the home
 * @param s3Endpoint the S3 service of the warehouse, if it is not Amazon's
 * @param catalogDatabase JDBC URL of the catalog's database in place of a file in the home
 */
public record StackOptions(
        List<String> streams,
        Map<String, String> columns,
        Map<String, String> text,
        int partitions,
        Optional<String> defaultTenant,
        Optional<String> kafka,
        Optional<String> redis,
        Optional<String> warehouse,
        Optional<String> s3Endpoint,
        Optional<String> catalogDatabase) {

    public StackOptions {
        streams = List.copyOf(streams);
        columns = Map.copyOf(columns);
        text = Map.copyOf(text);
    }

    /** One stream, {@code logs}, and everything embedded. */
    public static StackOptions defaults() {
        return new StackOptions(
                List.of("logs"),
                Map.of(),
                Map.of(),
                8,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
