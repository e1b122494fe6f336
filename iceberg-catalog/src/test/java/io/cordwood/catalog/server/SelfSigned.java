package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A key with a certificate for this machine, in PEM.
 *
 * @param own the key and its certificate
 * @param authority the certificate alone
 */
record SelfSigned(Path own, Path authority) {
    private static final String PASSWORD = "password";

    static SelfSigned create(Path directory, String name) throws Exception {
        Path store = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        String key =
                pem("PRIVATE KEY", keys.getKey("own", PASSWORD.toCharArray()).getEncoded());
        String certificate = pem("CERTIFICATE", keys.getCertificate("own").getEncoded());
        return new SelfSigned(
                Files.writeString(directory.resolve(name + ".pem"), key + certificate),
                Files.writeString(directory.resolve(name + "-ca.pem"), certificate));
    }

    private static String pem(String what, byte[] encoded) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(what, Base64.getMimeEncoder().encodeToString(encoded), what);
    }
}
