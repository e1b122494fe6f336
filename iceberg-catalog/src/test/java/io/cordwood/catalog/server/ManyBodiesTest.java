package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.identity.TenantRole;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large bodies that do not come to their end keep nobody else waiting, and take bounded memory. */
class ManyBodiesTest {
    private static final String COMMIT = "/v1/namespaces/acme/tables/logs";
    private static final int BODY_BYTES = 4 << 20;
    /** More than any heap of these tests lets persons send at once. */
    private static final int MANY = 1000;

    @TempDir
    private Path directory;

    @Test
    void manySlowBodiesLeaveRoomForSmallOnesAndForServices() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (SecuredService service = new SecuredService("jdbc:sqlite:" + directory.resolve("catalog.db"), directory)) {
            service.admin.ensureTable("acme", "logs", List.of());
            String writer = service.person("writer", "acme", TenantRole.WRITER);
            HttpResponse<String> answer = service.send("POST", COMMIT, "x".repeat(BODY_BYTES - 1), writer);
            assertThat(answer.statusCode()).isEqualTo(400);
            while (answer.statusCode() != 503) {
                assertThat(slow.size()).isLessThan(MANY);
                slow.add(begin(service, COMMIT, writer, BODY_BYTES));
                answer = service.send("POST", COMMIT, "x".repeat(BODY_BYTES - 1), writer);
            }
            assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(answer.body()).contains("too many requests");
            assertThat(service.send("POST", "/cordwood/v1/users/writer/tokens", "{}", writer)
                            .statusCode())
                    .as("a small request")
                    .isEqualTo(200);
            assertThat(service.send("POST", COMMIT, "x".repeat(BODY_BYTES - 1), service.adminToken.token())
                            .statusCode())
                    .as("an operator's")
                    .isEqualTo(400);
            for (Socket socket : slow) {
                socket.close();
            }
            while (answer.statusCode() == 503) {
                answer = service.send("POST", COMMIT, "x".repeat(BODY_BYTES - 1), writer);
            }
            assertThat(answer.statusCode()).as("when they are gone").isEqualTo(400);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void manySlowLoginsKeepNobodyWaiting() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (SecuredService service = new SecuredService("jdbc:sqlite:" + directory.resolve("catalog.db"), directory)) {
            for (int i = 0; i < MANY; i++) {
                slow.add(begin(service, "/cordwood/v1/oauth2/token", "", 2_000));
            }
            assertThat(service.send("POST", "/cordwood/v1/users/admin/tokens", "{}", service.adminToken.token())
                            .statusCode())
                    .isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /** Sends all of a body but its last byte. */
    private static Socket begin(SecuredService service, String path, String token, int bytes) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), service.server.uri().getPort());
        OutputStream out = socket.getOutputStream();
        out.write("POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
                .formatted(path, token, bytes)
                .getBytes(StandardCharsets.US_ASCII));
        out.write(new byte[bytes - 1]);
        return socket;
    }
}
