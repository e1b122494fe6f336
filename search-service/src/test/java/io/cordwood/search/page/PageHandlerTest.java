package io.cordwood.search.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.http.HttpServers;
import io.cordwood.http.HttpSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Handler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the files of the page are served. */
class PageHandlerTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Pattern IMPORT = Pattern.compile("from '\\./([a-z]+\\.js)'");

    private static HttpServers servers;

    @BeforeAll
    static void start() throws IOException {
        Handler page = new PageHandler();
        servers =
                HttpServers.start(new HttpSettings("127.0.0.1", 0, Optional.empty(), OptionalInt.empty()), page, page);
    }

    @AfterAll
    static void stop() throws IOException {
        servers.close();
    }

    @Test
    void allowsScriptsAndStylesOfItsOwnFilesOnly() throws Exception {
        HttpResponse<String> index = get("/");
        assertThat(index.statusCode()).isEqualTo(200);
        assertThat(header(index, "content-security-policy"))
                .isEqualTo("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                        + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        assertThat(header(index, "x-content-type-options")).isEqualTo("nosniff");
        assertThat(header(index, "referrer-policy")).isEqualTo("no-referrer");
        assertThat(header(index, "content-type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(get("/page/style.css"), "content-type")).isEqualTo("text/css; charset=utf-8");
    }

    @Test
    void everyModuleFindsThoseThatItImports() throws Exception {
        assertThat(get("/").body()).contains("/page/main.js", "/page/style.css");
        assertImports("main.js");
    }

    private static void assertImports(String module) throws Exception {
        HttpResponse<String> response = get("/page/" + module);
        assertThat(response.statusCode()).as(module).isEqualTo(200);
        assertThat(header(response, "content-type")).isEqualTo("text/javascript; charset=utf-8");
        for (String imported :
                IMPORT.matcher(response.body()).results().map(m -> m.group(1)).toList()) {
            assertImports(imported);
        }
    }

    @Test
    void aClientThatHasTheFileIsToldSo() throws Exception {
        String etag = header(get("/page/main.js"), "etag");
        HttpResponse<String> again = send(request("/page/main.js").header("If-None-Match", "\"other\", " + etag));
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(header(again, "cache-control")).isEqualTo("no-cache");
        HttpResponse<String> other = send(request("/page/main.js").header("If-None-Match", "\"other\""));
        assertThat(other.statusCode()).isEqualTo(200);
    }

    @Test
    void aHeadHasTheHeadersOfAGet() throws Exception {
        HttpResponse<String> head = send(request("/").method("HEAD", HttpRequest.BodyPublishers.noBody()));
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(header(head, "content-length")).isEqualTo(header(get("/"), "content-length"));
        assertThat(header(head, "etag")).isEqualTo(header(get("/"), "etag"));
    }

    @Test
    void aPostIsRefused() throws Exception {
        HttpResponse<String> post = send(request("/").POST(HttpRequest.BodyPublishers.ofString("x")));
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(header(post, "allow")).isEqualTo("GET, HEAD");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/page/",
                "/page/nosuch.js",
                "/page/index.html/",
                "/page/../page/PageHandler.class",
                "/page/%2e%2e/page/PageHandler.class",
                "/page/..%2fpackage-info.class",
                "/page//main.js",
                "/page/main.js%00.css",
                "/META-INF/MANIFEST.MF"
            })
    void noOtherPathLeadsToAFile(String path) throws Exception {
        assertThat(get(path).statusCode()).isIn(400, 404);
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(servers.uri() + path));
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return send(request(path));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }
}
