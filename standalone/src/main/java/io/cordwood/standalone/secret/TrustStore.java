package io.cordwood.standalone.secret;

import io.cordwood.identity.PemFiles;
import io.cordwood.standalone.home.AtomicFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;

/** The key store that a JVM trusts: the authorities that Java knows, and the lake's own. It holds no secret. */
final class TrustStore {
    private TrustStore() {}

    /** Writes it without a password: Java opens a store of type JKS without one. */
    static void write(Path authorities, Path file) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("JKS");
            try (InputStream known =
                    Files.newInputStream(Path.of(System.getProperty("java.home"), "lib", "security", "cacerts"))) {
                store.load(known, null);
            }
            KeyStore own = PemFiles.trustStore(authorities);
            for (String alias : Collections.list(own.aliases())) {
                store.setCertificateEntry("cordwood-" + alias, own.getCertificate(alias));
            }
            Path part = Files.createTempFile(file.getParent(), file.getFileName() + ".", AtomicFiles.UNFINISHED);
            try (OutputStream out = Files.newOutputStream(part)) {
                store.store(out, new char[0]);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot make the trust store: " + e.getMessage(), e);
        }
    }
}
