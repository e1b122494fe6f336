package io.cordwood.balancer.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class FlinkClientTest {
    private static final Map<String, String> ANSWERS = Map.of(
            "GET /jobs/overview", """
                    {"jobs": [{"jid": "a", "state": "FAILED"}, {"jid": "b", "state": "RUNNING"}]}""",
            "GET /jobs/b", """
                    {"vertices": [{"id": "1", "name": "Source: Kafka logs"}, {"id": "2", "name": "Build LogBlocks"}]}""",
            "PUT /jobs/b/resource-requirements", "{}");

    private HttpServer server;
    private FlinkClient flink;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", FlinkClientTest::answer);
        server.start();
        flink = new FlinkClient("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String answer = ANSWERS.get(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            byte[] body = (answer == null ? "no such job" : answer).getBytes(UTF_8);
            exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @AfterEach
    void stop() {
        flink.close();
        server.stop(0);
    }

    @Test
    void listsJobs() throws Exception {
        assertThat(flink.jobs()).hasSize(2);
        assertThat(flink.runningJobs()).containsExactly("b");
    }

    @Test
    void findsVerticesByName() throws Exception {
        assertThat(flink.vertices("b", "")).hasSize(2);
        assertThat(flink.vertex("b", FlinkClient.BUILDER).path("id").asText()).isEqualTo("2");
        assertThatThrownBy(() -> flink.vertex("b", "Commit"))
                .isInstanceOf(IOException.class)
                .hasMessage("the job has no vertex 'Commit'");
    }

    @Test
    void sendsJson() throws Exception {
        assertThat(flink.put("/jobs/b/resource-requirements", new ObjectMapper().createObjectNode()))
                .isEmpty();
    }

    @Test
    void aRefusalIsAnError() {
        assertThatThrownBy(() -> flink.get("/jobs/c"))
                .isInstanceOf(IOException.class)
                .hasMessage("Flink responds to /jobs/c with 404: no such job");
    }
}
