package io.cordwood.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A certificate of {@code localhost} that signs itself.
 *
 * @param own file with the key and the certificate
 * @param authority file with the certificate, for clients to trust
 */
public record OwnCertificate(Path own, Path authority) {
    private static final char[] PASSWORD = "password".toCharArray();

    /** Makes one, and the files in the directory. */
    public static OwnCertificate create(Path directory) throws Exception {
        Path store = directory.resolve("own.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        String certificate = pem("CERTIFICATE", keys.getCertificate("own").getEncoded());
        String key = pem("PRIVATE KEY", keys.getKey("own", PASSWORD).getEncoded());
        return new OwnCertificate(
                Files.writeString(directory.resolve("own.pem"), key + certificate),
                Files.writeString(directory.resolve("ca.pem"), certificate));
    }

    private static String pem(String what, byte[] encoded) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(what, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded), what);
    }
}
