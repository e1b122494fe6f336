package io.cordwood.catalog.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Only the service's own answer that a tenant has no pipeline counts as that. */
class PipelineAnswersTest {
    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', textBlock = """
            404 # {"error":{"message":"none","type":"NoSuchPipelineException","code":404}} # true
            404 # {"error":{"message":"There is no endpoint","type":"NotFoundException","code":404}} # false
            404 # <html>no such page</html> # false
            404 # {} # false
            403 # {"error":{"message":"no","type":"ForbiddenException","code":403}} # false
            500 # {"error":{"message":"no","type":"MalformedEntryException","code":500}} # false
            200 # {} # false
            200 # <html>log in</html> # false""")
    void whatCountsAsNone(int status, String body, boolean isNone) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean isConfig = exchange.getRequestURI().getPath().endsWith("/config");
            byte[] bytes = (isConfig ? "{\"defaults\":{},\"overrides\":{}}" : body).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isConfig ? 200 : status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (CatalogClient client = CatalogClient.connect(uri, Map.of())) {
            if (isNone) {
                assertThat(client.pipeline("acme")).isEmpty();
                assertThat(client.deletePipeline("acme")).isFalse();
            } else {
                assertThatExceptionOfType(CatalogException.class).isThrownBy(() -> client.pipeline("acme"));
            }
        } finally {
            server.stop(0);
        }
    }
}
