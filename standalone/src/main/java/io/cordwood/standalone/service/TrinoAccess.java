package io.cordwood.standalone.service;

import io.cordwood.identity.ServiceRole;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files by which Trino knows its users, and what they may do. Stateless. */
final class TrinoAccess {
    private static final String RULES = "trino-connector/etc/access-rules.json";
    private static final String FACTORIES = "cordwood";
    /** How soon the server takes another certificate. */
    private static final String CERTIFICATE_AGE = "5s";

    private TrinoAccess() {}

    /**
     * Writes the files, and returns what belongs into the server's own.
     *
     * @param etc the server's configuration
     * @param service the server, whose certificate it shows
     */
    static String write(
            Home home,
            Installation installation,
            Path etc,
            String service,
            int port,
            String catalogUri,
            Secrets secrets)
            throws IOException {
        String catalog = """
                cordwood.catalog-uri=%s
                cordwood.catalog-token-file=%s
                cordwood.catalog-ca-file=%s
                """.formatted(catalogUri, secrets.token(ServiceRole.QUERY.label()), secrets.authorities());
        Path passwords = etc.resolve("password-authenticator.properties");
        AtomicFiles.write(passwords, "password-authenticator.name=%s%n%s".formatted(FACTORIES, catalog));
        Path headers = etc.resolve("header-authenticator.properties");
        AtomicFiles.write(headers, "header-authenticator.name=%s%n%s".formatted(FACTORIES, catalog));

        Path rules = etc.resolve("access-rules.json");
        AtomicFiles.write(rules, Files.readString(installation.root().resolve(RULES)));
        Path control = etc.resolve("access-control.properties");
        AtomicFiles.write(control, "access-control.name=file%nsecurity.config-file=%s%n".formatted(rules));

        // Trino reads these two from etc/ of its working directory, which is the home.
        AtomicFiles.write(
                home.configuration().resolve("group-provider.properties"),
                "group-provider.name=%s%n%s".formatted(FACTORIES, catalog));
        AtomicFiles.write(
                home.configuration().resolve("resource-groups.properties"),
                "resource-groups.configuration-manager=%s%n".formatted(FACTORIES));
        return """
                http-server.http.enabled=false
                http-server.https.enabled=true
                http-server.https.port=%d
                http-server.https.keystore.path=%s
                http-server.https.ssl-context.refresh-time=%s
                http-server.authentication.type=PASSWORD,HEADER
                password-authenticator.config-files=%s
                header-authenticator.config-files=%s
                access-control.config-files=%s
                internal-communication.https.required=true
                internal-communication.https.keystore.path=%s
                internal-communication.https.truststore.path=%s
                internal-communication.shared-secret=%s
                """.formatted(
                        port,
                        secrets.certificate(service),
                        CERTIFICATE_AGE,
                        passwords,
                        headers,
                        control,
                        // Without these Trino makes another certificate, and serves it to clients too
                        secrets.certificate(service),
                        secrets.authorities(),
                        secrets.sharedSecret());
    }
}
