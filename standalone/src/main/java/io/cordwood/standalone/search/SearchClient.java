package io.cordwood.standalone.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.identity.PemFiles;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.secret.Login;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Asks the search service about one stream of a tenant. Thread-safe. */
public final class SearchClient implements AutoCloseable {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final String service;
    private final String stream;
    private final Login login;
    private final HttpClient http;
    private final Duration silence;

    /**
     * Makes a client, without connecting.
     *
     * @param service the service's address
     * @throws CordwoodException if the certificate of the stack's authority cannot be read
     */
    public SearchClient(String service, Login login, String tenant, String stream) {
        this(service, login, tenant, stream, SILENCE);
    }

    SearchClient(String service, Login login, String tenant, String stream, Duration silence) {
        this.service = service;
        this.stream = "%s/api/v1/tenants/%s/streams/%s/".formatted(service, encoded(tenant), encoded(stream));
        this.login = login;
        this.silence = silence;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_LIMIT);
        try {
            if (login.secrets().isPresent()) {
                builder.sslContext(PemFiles.trusting(login.secrets().get().authorities()));
            }
        } catch (IOException e) {
            throw new CordwoodException(Errors.text(e), e);
        }
        http = builder.build();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /** The rows that a question finds. @throws CordwoodException if there is no answer, or it is an error */
    FoundRows search(SearchQuestion question) throws InterruptedException {
        HttpRequest.Builder request = request("search")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(question.toJson()));
        List<SearchRow> lines = new ArrayList<>();
        try (InputStream body = send(request, question.query());
                BufferedReader reader = new BufferedReader(new InputStreamReader(body, UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(SearchRow.parse(line));
            }
        } catch (IOException e) {
            throw brokenOff(Errors.text(e), e);
        }
        // The last line is none of the rows, so that it is missed if the answer broke off
        if (lines.isEmpty() || lines.getLast().isRow()) {
            throw brokenOff("its last line is missing", null);
        }
        boolean hasMore = lines.removeLast().members().has("after");
        Collections.reverse(lines);
        return new FoundRows(lines, hasMore);
    }

    /**
     * Follows the rows that arrive from now on: those that Kafka acknowledges once the first comment or event is there.
     *
     * @throws CordwoodException if there is no answer, or it is an error
     */
    EventStream follow(String query) throws InterruptedException {
        return new EventStream(send(request("tail?query=" + encoded(query)), query), silence);
    }

    /** An answer that ended too early. */
    CordwoodException brokenOff(String why, Throwable cause) {
        return new CordwoodException(
                "the answer of the search service at %s broke off: %s".formatted(service, why), cause);
    }

    private HttpRequest.Builder request(String operation) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(stream + operation));
        if (login.secrets().isPresent()) {
            request.header("Authorization", "Bearer " + login.currentToken());
        }
        return request;
    }

    private InputStream send(HttpRequest.Builder request, String query) throws InterruptedException {
        try {
            HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
            if (response.statusCode() == 200) {
                return response.body();
            }
            try (InputStream body = response.body()) {
                throw ServiceErrors.of(service, response.statusCode(), new String(body.readAllBytes(), UTF_8), query);
            }
        } catch (ConnectException e) {
            throw new CordwoodException(
                    "no search service answers at %s: `bin/cordwood status` shows what runs".formatted(service), e);
        } catch (IOException e) {
            throw new CordwoodException(
                    "cannot ask the search service at %s: %s".formatted(service, Errors.text(e)), e);
        }
    }

    /** Ends the connections. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
