package io.cordwood.identity.kafka;

import io.cordwood.identity.PemFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.security.auth.SslEngineFactory;

/**
 * TLS of Kafka's brokers and clients from PEM files that are read again when they change, so that certificates can be
 * replaced under a running process. {@code ssl.engine.factory.class} names this class. Of Kafka's properties for TLS it
 * follows {@code ssl.keystore.location}, {@code ssl.truststore.location}, {@code ssl.client.auth} and
 * {@code ssl.endpoint.identification.algorithm}. Thread-safe once configured.
 */
public final class PemEngines implements SslEngineFactory {
    private static final String KEYSTORE = "ssl.keystore.location";
    private static final String TRUSTSTORE = "ssl.truststore.location";
    private static final String CLIENT_AUTH = "ssl.client.auth";

    private SSLContext context;
    private String clientAuth = "none";

    public PemEngines() {}

    /** @throws ConfigException if a file cannot be read or lacks what it should hold */
    @Override
    public void configure(Map<String, ?> configs) {
        Optional<Path> own = file(configs, KEYSTORE);
        Path authorities = file(configs, TRUSTSTORE)
                .orElseThrow(() -> new ConfigException("%s is needed: a PEM file".formatted(TRUSTSTORE)));
        try {
            context = own.isPresent() ? PemFiles.mutual(own.get(), authorities) : PemFiles.trusting(authorities);
        } catch (IOException e) {
            throw new ConfigException("Cannot set up Kafka's TLS: " + e.getMessage());
        }
        if (configs.get(CLIENT_AUTH) instanceof String auth) {
            clientAuth = auth;
        }
    }

    private static Optional<Path> file(Map<String, ?> configs, String name) {
        return Optional.ofNullable((String) configs.get(name)).map(Path::of);
    }

    @Override
    public SSLEngine createClientSslEngine(String peerHost, int peerPort, String endpointIdentification) {
        SSLEngine engine = context.createSSLEngine(peerHost, peerPort);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(endpointIdentification);
        engine.setSSLParameters(parameters);
        return engine;
    }

    @Override
    public SSLEngine createServerSslEngine(String peerHost, int peerPort) {
        SSLEngine engine = context.createSSLEngine(peerHost, peerPort);
        engine.setUseClientMode(false);
        switch (clientAuth) {
            case "required" -> engine.setNeedClientAuth(true);
            case "requested" -> engine.setWantClientAuth(true);
            default -> engine.setNeedClientAuth(false);
        }
        return engine;
    }

    /** Never: the files are watched, and their names do not change. */
    @Override
    public boolean shouldBeRebuilt(Map<String, Object> nextConfigs) {
        return false;
    }

    @Override
    public Set<String> reconfigurableConfigs() {
        return Set.of();
    }

    /** None: it would be that of one time. */
    @Override
    public KeyStore keystore() {
        return null;
    }

    @Override
    public KeyStore truststore() {
        return null;
    }

    @Override
    public void close() {}
}
