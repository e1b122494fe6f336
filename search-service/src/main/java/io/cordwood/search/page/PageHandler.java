package io.cordwood.search.page;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Serves the page: {@code /} and the files that it needs under {@code /page/}. Thread-safe.
 *
 * <p>It reads its files once, and finds them by their whole path: no path leads to any other file. The page has no
 * secrets, so it needs no authentication; what it asks the API does.
 */
public final class PageHandler extends Handler.Abstract.NonBlocking {
    private static final String ROOT = "/page/";
    private static final List<String> FILES = List.of(
            "api.js",
            "context.js",
            "dialog.js",
            "export.js",
            "facets.js",
            "histogram.js",
            "levels.js",
            "link.js",
            "main.js",
            "patterns.js",
            "query.js",
            "querybar.js",
            "rows.js",
            "style.css",
            "tail.js",
            "text.js",
            "theme.js",
            "toolbar.js");
    private static final String PREACT = "/META-INF/resources/webjars/preact/10.28.0/dist/preact.module.js";

    /** Scripts and styles only from files, so that no text of a log can become either. */
    private static final HttpFields HEADERS = HttpFields.build()
            .add(
                    "Content-Security-Policy",
                    String.join(
                            "; ",
                            "default-src 'none'",
                            "script-src 'self'",
                            "style-src 'self'",
                            "connect-src 'self'",
                            "img-src 'self' data:",
                            "base-uri 'none'",
                            "form-action 'none'",
                            "frame-ancestors 'none'"))
            .add("X-Content-Type-Options", "nosniff")
            .add("Referrer-Policy", "no-referrer")
            .add("Cross-Origin-Opener-Policy", "same-origin")
            .add("Cross-Origin-Resource-Policy", "same-origin")
            // Kept, and asked for each time whether it is still the same
            .add(HttpHeader.CACHE_CONTROL, "no-cache")
            .asImmutable();

    private final Map<String, PageFile> files;

    /** @throws IllegalStateException if the program lacks a file */
    public PageHandler() {
        Map<String, PageFile> read = new HashMap<>();
        read.put("/", PageFile.read("/io/cordwood/search/page/index.html"));
        read.put(ROOT + "preact.js", PageFile.read(PREACT));
        for (String name : FILES) {
            read.put(ROOT + name, PageFile.read("/io/cordwood/search/page/" + name));
        }
        this.files = Map.copyOf(read);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        PageFile file = files.get(request.getHttpURI().getPath());
        if (file == null) {
            return false;
        }
        HEADERS.forEach(response.getHeaders()::put);
        boolean isHead = request.getMethod().equals("HEAD");
        if (!isHead && !request.getMethod().equals("GET")) {
            response.setStatus(405);
            response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
            response.write(true, null, callback);
            return true;
        }
        response.getHeaders().put(HttpHeader.ETAG, file.etag());
        if (isKnown(request, file)) {
            response.setStatus(304);
            response.write(true, null, callback);
            return true;
        }
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, file.contentType());
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, file.content().length);
        response.write(true, isHead ? null : ByteBuffer.wrap(file.content()), callback);
        return true;
    }

    /** Whether the client says that it has the file. */
    private static boolean isKnown(Request request, PageFile file) {
        return request.getHeaders().getFields(HttpHeader.IF_NONE_MATCH).stream()
                .map(HttpField::getValue)
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(String::strip)
                .anyMatch(tag -> tag.equals(file.etag()) || tag.equals("W/" + file.etag()));
    }
}
