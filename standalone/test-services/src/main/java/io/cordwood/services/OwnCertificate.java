package io.cordwood.services;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A key with a certificate of this machine that vouches for itself, in PEM, made by the JDK's {@code keytool}.
 * Immutable.
 *
 * @param own file with the key and the certificate
 * @param authority file with the certificate, for clients to trust
 */
public record OwnCertificate(Path own, Path authority) {
    private static final String ALIAS = "own";
    private static final String PASSWORD = "changeit";

    /**
     * Makes one.
     *
     * @param directory where its files go
     * @param name their names begin with it
     */
    public static OwnCertificate create(Path directory, String name)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path store = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + said);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        String key =
                pem("PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
        String certificate = pem("CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
        return new OwnCertificate(
                Files.writeString(directory.resolve(name + ".pem"), key + certificate),
                Files.writeString(directory.resolve(name + "-ca.pem"), certificate));
    }

    private static String pem(String kind, byte[] der) {
        return "-----BEGIN %s-----\n%s\n-----END %1$s-----\n"
                .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der));
    }
}
