package io.cordwood.identity;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The key and certificate of a service in a PEM file, read again when the file changes. A handshake asks for an alias
 * and then for the key and the certificates of that alias. So an alias has the number of the reading it came from, and
 * the reading before the last is kept: a handshake during a change does not mix two pairs. An alias from before that
 * has neither. Thread-safe.
 */
final class FileKeyManager extends X509ExtendedKeyManager {
    private static final char[] NO_PASSWORD = new char[0];
    private static final String SEPARATOR = "/";

    private record Reading(String number, X509ExtendedKeyManager keys) {}

    private final AtomicLong readings = new AtomicLong();
    private final FileContent<Reading> content;
    /** The last and the one before it. */
    private volatile List<Reading> kept = List.of();

    /** @throws IOException if the file cannot be read or lacks a key or a certificate */
    FileKeyManager(Path own) throws IOException {
        content = new FileContent<>(own, this::read);
    }

    private Reading read(Path own) throws IOException {
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(PemFiles.keyStore(own, NO_PASSWORD), NO_PASSWORD);
            Reading reading = new Reading(
                    Long.toString(readings.incrementAndGet()), (X509ExtendedKeyManager) factory.getKeyManagers()[0]);
            kept = Stream.concat(Stream.of(reading), kept.stream().limit(1)).toList();
            return reading;
        } catch (GeneralSecurityException e) {
            throw new IOException("Cannot use the key in %s: %s".formatted(own, e.getMessage()), e);
        }
    }

    private String alias(Function<X509ExtendedKeyManager, String> question) {
        Reading reading = content.get();
        String alias = question.apply(reading.keys());
        return alias == null ? null : reading.number() + SEPARATOR + alias;
    }

    private <T> T of(String alias, Function<X509ExtendedKeyManager, Function<String, T>> question) {
        String number = alias.substring(0, alias.indexOf(SEPARATOR));
        String name = alias.substring(number.length() + SEPARATOR.length());
        return kept.stream()
                .filter(reading -> reading.number().equals(number))
                .findFirst()
                .map(reading -> question.apply(reading.keys()).apply(name))
                .orElse(null);
    }

    @Override
    public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        return alias(keys -> keys.chooseEngineClientAlias(keyTypes, issuers, engine));
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return alias(keys -> keys.chooseEngineServerAlias(keyType, issuers, engine));
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return alias(keys -> keys.chooseClientAlias(keyTypes, issuers, socket));
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return alias(keys -> keys.chooseServerAlias(keyType, issuers, socket));
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        String alias = chooseClientAlias(new String[] {keyType}, issuers, null);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        String alias = chooseServerAlias(keyType, issuers, null);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return of(alias, keys -> keys::getCertificateChain);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return of(alias, keys -> keys::getPrivateKey);
    }
}
