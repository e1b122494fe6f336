package io.cordwood.trino;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** Certificates for servers of tests on this machine, made by the JDK's {@code keytool}. Stateless. */
final class TestCertificates {
    private static final String PASSWORD = "changeit";

    private TestCertificates() {}

    /** Makes a PEM file with a key and a certificate that vouches for itself, so it serves as the authority too. */
    static Path selfSigned(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
        Path keystore = directory.resolve("own.p12");
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
                        "SAN=ip:127.0.0.1,dns:localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        keystore.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + said);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keystore)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return Files.writeString(
                directory.resolve("own.pem"),
                pem("PRIVATE KEY", store.getKey("own", PASSWORD.toCharArray()).getEncoded())
                        + pem("CERTIFICATE", store.getCertificate("own").getEncoded()));
    }

    private static String pem(String kind, byte[] der) {
        return "-----BEGIN %s-----\n%s\n-----END %1$s-----\n"
                .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der));
    }
}
