package io.cordwood.identity;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * Mutual TLS for a Flink cluster. Its REST interface serves only clients that the authorities know, and its parts
 * accept only each other: those that have the same certificate. Flink reads no PEM, so the key goes to a file that only
 * this user may read, with a password that only this process knows. Stateless.
 */
public final class FlinkTls {
    private static final String SUITES = "TLS_AES_256_GCM_SHA384,TLS_AES_128_GCM_SHA256";
    private static final int PASSWORD_BYTES = 24;

    private FlinkTls() {}

    /**
     * Writes the files that Flink reads as long as it runs, and returns Flink's settings for them.
     *
     * @param own PEM file with the cluster's key and certificate
     * @param authorities PEM file with the authorities of clients
     * @throws IOException if a file cannot be read or written
     */
    public static Map<String, String> settings(Path own, Path authorities) throws IOException {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        Path directory = Files.createTempDirectory("cordwood-tls");
        directory.toFile().deleteOnExit();

        Path keys = directory.resolve("own.p12");
        Path clients = directory.resolve("clients.p12");
        write(PemFiles.keyStore(own, password.toCharArray()), password, keys);
        write(PemFiles.trustStore(authorities), password, clients);

        Map<String, String> settings = new HashMap<>();
        settings.put("security.ssl.protocol", "TLSv1.3");
        settings.put("security.ssl.algorithms", SUITES);
        settings.put("security.ssl.rest.authentication-enabled", "true");
        add("security.ssl.rest.", keys, clients, password, settings);
        add("security.ssl.internal.", keys, clients, password, settings);
        // Not a trust store of this one certificate: a part shows its own only to those that trust who issued it
        settings.put("security.ssl.internal.cert.fingerprint", fingerprint(own));
        return settings;
    }

    /** Flink knows this kind alone. */
    private static String fingerprint(Path own) throws IOException {
        try {
            Certificate certificate = PemFiles.keyAndCertificates(own).getCertificate();
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(certificate.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException("Cannot read %s: %s".formatted(own, e.getMessage()), e);
        }
    }

    private static void add(String prefix, Path keys, Path trusted, String password, Map<String, String> settings) {
        settings.put(prefix + "enabled", "true");
        settings.put(prefix + "keystore", keys.toString());
        settings.put(prefix + "keystore-password", password);
        settings.put(prefix + "key-password", password);
        settings.put(prefix + "truststore", trusted.toString());
        settings.put(prefix + "truststore-password", password);
    }

    private static void write(KeyStore store, String password, Path file) throws IOException {
        file.toFile().deleteOnExit();
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        } catch (GeneralSecurityException e) {
            throw new IOException("Cannot write %s: %s".formatted(file, e.getMessage()), e);
        }
    }
}
