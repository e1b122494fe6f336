package io.cordwood.gateway;

import static java.util.Objects.requireNonNull;

import io.cordwood.http.HttpSettings;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;

/**
 * The operator's settings for the gateway. Immutable, the properties by convention.
 *
 * @param http where it listens; with TLS it asks senders for API keys
 * @param syslogPort port for syslog over TCP or TLS; 0 for a free one; empty: none
 * @param syslogUdpPort the same over UDP
 * @param otlpGrpcPort port for OTLP over gRPC, with the same address and TLS; 0 for a free one
 * @param catalog address of the catalog service
 * @param catalogProperties properties of its client
 * @param kafka properties of Kafka's client, brokers included
 * @param redis Redis, which holds the routing tables
 * @param streams names of the streams that it takes rows for
 * @param allowedHosts names, beside those of loopback, by which requests may call an open gateway on loopback
 * @param maxRequestBytes largest body, unpacked
 * @param maxInFlightBytes unpacked bytes of all requests that are not answered
 * @param maxInFlightBytesOfTenant the same of one tenant
 */
public record GatewayOptions(
        HttpSettings http,
        OptionalInt syslogPort,
        OptionalInt syslogUdpPort,
        int otlpGrpcPort,
        URI catalog,
        Map<String, String> catalogProperties,
        Properties kafka,
        URI redis,
        List<String> streams,
        Set<String> allowedHosts,
        int maxRequestBytes,
        long maxInFlightBytes,
        long maxInFlightBytesOfTenant) {
    public GatewayOptions {
        requireNonNull(http, "http is null");
        requireNonNull(catalog, "catalog is null");
        requireNonNull(kafka, "kafka is null");
        requireNonNull(redis, "redis is null");
        catalogProperties = Map.copyOf(catalogProperties);
        streams = List.copyOf(streams);
        allowedHosts = Set.copyOf(allowedHosts);
    }

    /** Whether senders need API keys. */
    boolean isClosed() {
        return http.tlsKeystore().isPresent();
    }
}
