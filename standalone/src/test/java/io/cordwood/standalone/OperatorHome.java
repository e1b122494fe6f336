package io.cordwood.standalone;

import io.cordwood.standalone.deploy.Compose;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** How the operator of {@code docker/compose.yaml} reaches it from outside. Stateless. */
final class OperatorHome {
    private OperatorHome() {}

    /**
     * Takes the secrets to a home, as docs/operate/deploying.md says, and writes where the services are.
     *
     * @param home a home that was created
     */
    static Endpoints enter(Compose compose, Home home) throws IOException, InterruptedException {
        Path archive = Files.createTempFile("secrets", ".tar");
        try {
            compose.runTo(
                    archive,
                    "run",
                    "--rm",
                    "-T",
                    "--entrypoint",
                    "tar",
                    "secrets",
                    "--create",
                    "--exclude=./services",
                    "--directory=/secrets",
                    ".");
            Files.createDirectories(home.secrets());
            Script.run(
                            List.of(
                                    "tar",
                                    "--extract",
                                    "--no-same-owner",
                                    "--directory=" + home.secrets(),
                                    "--file=" + archive),
                            Map.of())
                    .assertCode(0);
        } finally {
            Files.delete(archive);
        }
        Endpoints endpoints = new Endpoints(
                "localhost:19092",
                "",
                "https://localhost:8181",
                "https://localhost:8081",
                "",
                "https://localhost:8090",
                "https://localhost:8080",
                "https://localhost:8095",
                "https://localhost:8096",
                "",
                "",
                "s3://cordwood/warehouse",
                authorities(home).toString());
        endpoints.write(home);
        return endpoints;
    }

    /** The certificates that vouch for the services. */
    static Path authorities(Home home) {
        return home.secrets().resolve("ca.pem");
    }
}
