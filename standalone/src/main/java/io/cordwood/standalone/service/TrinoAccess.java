package io.cordwood.standalone.service;

import io.cordwood.identity.ServiceRole;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.file.Path;

/** The files with which Trino asks who its users are. Stateless. */
final class TrinoAccess {
    private TrinoAccess() {}

    /**
     * Writes the files, and returns what belongs into the server's own.
     *
     * @param etc the server's configuration
     */
    static String write(Path etc, int port, String catalogUri, Secrets secrets) throws IOException {
        Path passwords = etc.resolve("password-authenticator.properties");
        Path headers = etc.resolve("header-authenticator.properties");
        String identity = """
                cordwood.catalog-uri=%s
                cordwood.catalog-token-file=%s
                cordwood.catalog-ca-file=%s
                """.formatted(catalogUri, secrets.token(ServiceRole.QUERY.label()), secrets.authorities());
        AtomicFiles.write(passwords, "password-authenticator.name=cordwood\n" + identity);
        AtomicFiles.write(headers, "header-authenticator.name=cordwood\n" + identity);
        return """
                http-server.http.enabled=false
                http-server.https.enabled=true
                http-server.https.port=%d
                http-server.https.keystore.path=%s
                http-server.authentication.type=PASSWORD,HEADER
                password-authenticator.config-files=%s
                header-authenticator.config-files=%s
                internal-communication.https.required=true
                internal-communication.shared-secret=%s
                """.formatted(port, secrets.certificate(TrinoService.NAME), passwords, headers, secrets.sharedSecret());
    }
}
