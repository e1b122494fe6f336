package io.cordwood.catalog.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.Preference;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.entity.UrlEncodedFormEntity;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.apache.hc.core5.http.message.BasicNameValuePair;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * HTTP requests to the service, by default to its own endpoints. Thread-safe.
 *
 * <p>A request runs on the caller's thread. A thread between the caller and the socket would be woken for each of many
 * small requests. An interrupt ends a request, and so does {@link #close}.
 */
public final class CatalogHttp implements AutoCloseable {
    /** Of each address of the name: one of several services may be unreachable. */
    private static final Timeout CONNECT_TIMEOUT = Timeout.ofSeconds(2);

    private static final Timeout HANDSHAKE_TIMEOUT = Timeout.ofSeconds(10);
    /** Longer than the database's busy timeout. */
    private static final Timeout ANSWER_TIMEOUT = Timeout.ofSeconds(60);
    /**
     * Of what is asked for again and again, and must not be old: with the time until the next request, and to reach
     * another service, shorter than rules of tokens are good.
     */
    private static final Timeout POLL_TIMEOUT = Timeout.ofSeconds(3);
    /**
     * Shorter than a restart of the service, which closes the pooled connections; a check takes a millisecond.
     */
    private static final TimeValue VALIDATE_AFTER_IDLE = TimeValue.ofMilliseconds(100);
    /** Shorter than the service keeps an idle connection. */
    private static final TimeValue LONGEST_IDLE = TimeValue.ofSeconds(20);

    private static final RequestConfig PATIENT = waitingFor(ANSWER_TIMEOUT);
    private static final RequestConfig POLL = waitingFor(POLL_TIMEOUT);

    private static final String OURS = "cordwood/v1/";

    /**
     * Connections whose sockets an interrupt of the reading or writing thread closes, as it closes those of channels.
     */
    private static final class InterruptibleConnections extends PoolingHttpClientConnectionManagerBuilder {
        @Override
        protected HttpClientConnectionOperator createConnectionOperator(
                SchemePortResolver ports, DnsResolver names, TlsSocketStrategy tls) {
            return new DefaultHttpClientConnectionOperator(
                    proxy -> SocketChannel.open().socket(),
                    ports,
                    names,
                    RegistryBuilder.<TlsSocketStrategy>create()
                            .register(URIScheme.HTTPS.id, tls)
                            .build());
        }
    }

    private final String base;
    private final Optional<Supplier<String>> token;
    private final PoolingHttpClientConnectionManager connections;
    private final CloseableHttpClient client;

    /** Requests with a fixed token, and Java's own authorities for TLS. */
    public CatalogHttp(URI uri, Optional<String> token) {
        this(uri, token.map(fixed -> () -> fixed), Optional.empty());
    }

    /**
     * Requests with the present token.
     *
     * @param tls whom to trust; empty: Java's own authorities
     */
    CatalogHttp(URI uri, Optional<Supplier<String>> token, Optional<SSLContext> tls) {
        this.base = uri.toString().replaceFirst("/+$", "") + "/";
        this.token = token;
        this.connections = connections(tls);
        this.client = client(connections);
    }

    private static PoolingHttpClientConnectionManager connections(Optional<SSLContext> tls) {
        PoolingHttpClientConnectionManagerBuilder connections = new InterruptibleConnections()
                .useSystemProperties()
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(CONNECT_TIMEOUT)
                        .setSocketTimeout(ANSWER_TIMEOUT)
                        .setValidateAfterInactivity(VALIDATE_AFTER_IDLE)
                        .build())
                .setDefaultTlsConfig(TlsConfig.custom()
                        .setHandshakeTimeout(HANDSHAKE_TIMEOUT)
                        .build())
                // The threads of the callers are the limit.
                .setMaxConnPerRoute(Integer.MAX_VALUE)
                .setMaxConnTotal(Integer.MAX_VALUE);
        tls.ifPresent(context -> connections.setTlsSocketStrategy(new DefaultClientTlsStrategy(context)));
        return connections.build();
    }

    private static CloseableHttpClient client(PoolingHttpClientConnectionManager connections) {
        return HttpClients.custom()
                .useSystemProperties()
                .setConnectionManager(connections)
                .evictIdleConnections(LONGEST_IDLE)
                // Only the caller can find out the outcome of an unanswered request.
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableContentCompression()
                .disableCookieManagement()
                .disableAuthCaching()
                .build();
    }

    private static RequestConfig waitingFor(Timeout answer) {
        return RequestConfig.custom()
                .setProtocolUpgradeEnabled(false)
                .setResponseTimeout(answer)
                .build();
    }

    /** Encodes text as a segment of a path. */
    static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    JsonNode get(String path) {
        return Json.parse(send(request("GET", OURS + path)));
    }

    /** As {@link #get}, for what is asked for every few seconds: an answer that takes longer is not waited for. */
    JsonNode poll(String path) {
        try {
            return Json.parse(send(request("GET", OURS + path), POLL));
        } catch (CatalogException e) {
            if (e.getCause() instanceof SocketTimeoutException) {
                // Others may lead to the same silent service
                connections.closeIdle(TimeValue.ZERO_MILLISECONDS);
            }
            throw e;
        }
    }

    JsonNode json(String method, String path, JsonNode body) {
        return Json.parse(sendBytes(method, path, body));
    }

    /** Sends a form. */
    JsonNode form(String path, Map<String, String> fields) {
        List<NameValuePair> pairs = new ArrayList<>();
        fields.forEach((name, value) -> pairs.add(new BasicNameValuePair(name, value)));
        return Json.parse(
                send(request("POST", OURS + path).setEntity(new UrlEncodedFormEntity(pairs, StandardCharsets.UTF_8))));
    }

    String send(String method, String path, JsonNode body) {
        return new String(sendBytes(method, path, body), StandardCharsets.UTF_8);
    }

    private byte[] sendBytes(String method, String path, JsonNode body) {
        return send(request(method, OURS + path).setEntity(Json.bytes(body), ContentType.APPLICATION_JSON));
    }

    /** Sends a GET request to an endpoint of Iceberg and returns the response. */
    byte[] iceberg(String path) {
        return send(request("GET", path));
    }

    /** Commits to a table at an endpoint of Iceberg, and asks for no table in return. */
    public void commit(String path, String json) {
        send(request("POST", path)
                .setHeader(Preference.HEADER, Preference.MINIMAL)
                .setEntity(json.getBytes(StandardCharsets.UTF_8), ContentType.APPLICATION_JSON));
    }

    private ClassicRequestBuilder request(String method, String path) {
        ClassicRequestBuilder request = ClassicRequestBuilder.create(method).setUri(base + path);
        token.ifPresent(present -> request.setHeader(HttpHeaders.AUTHORIZATION, "Bearer " + present.get()));
        return request;
    }

    private record Answer(int status, byte[] body) {}

    private byte[] send(ClassicRequestBuilder builder) {
        return send(builder, PATIENT);
    }

    private byte[] send(ClassicRequestBuilder builder, RequestConfig config) {
        ClassicHttpRequest request = builder.build();
        HttpClientContext context = HttpClientContext.create();
        context.setRequestConfig(config);
        String what = request.getMethod() + " " + builder.getUri();
        if (Thread.currentThread().isInterrupted()) {
            throw new CatalogException(0, "Interrupted before asking the catalog: " + what);
        }
        Answer answer;
        try {
            answer = client.execute(
                    request,
                    context,
                    response -> new Answer(
                            response.getCode(),
                            response.getEntity() == null
                                    ? new byte[0]
                                    : EntityUtils.toByteArray(response.getEntity())));
        } catch (IOException | IllegalStateException e) {
            // A closed client throws IllegalStateException.
            throw new CatalogException("No answer from the catalog to %s: %s".formatted(what, e), e);
        }
        if (answer.status() >= 300) {
            throw new CatalogException(
                    answer.status(),
                    type(answer),
                    "The catalog refused %s with status %d: %s".formatted(what, answer.status(), problem(answer)));
        }
        return answer.body();
    }

    private static String problem(Answer answer) {
        try {
            return Json.text(Json.parse(answer.body()).path("error"), "message");
        } catch (IllegalArgumentException e) {
            return new String(answer.body(), StandardCharsets.UTF_8);
        }
    }

    private static String type(Answer answer) {
        try {
            return Json.text(Json.parse(answer.body()).path("error"), "type");
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    @Override
    public void close() {
        client.close(CloseMode.IMMEDIATE);
    }
}
