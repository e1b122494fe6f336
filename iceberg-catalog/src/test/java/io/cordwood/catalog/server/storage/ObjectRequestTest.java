package io.cordwood.catalog.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.rest.requests.ImmutableRemoteSignRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

class ObjectRequestTest {
    private static final String BASE = "http://store:9000/lake/";
    private static final String PREFIX = "wh/acme/logs/";
    private static final StoreAddress STORE = new StoreAddress(URI.create("http://store:9000"), "lake", false);

    private static ObjectRequest checked(String method, String uri, Map<String, List<String>> headers) {
        return ObjectRequest.checked(
                ImmutableRemoteSignRequest.builder()
                        .method(method)
                        .region("us-east-1")
                        .uri(URI.create(uri))
                        .headers(headers)
                        .provider("s3")
                        .build(),
                STORE,
                PREFIX);
    }

    private static ObjectRequest checked(String method, String keyAndQuery) {
        return checked(method, BASE + keyAndQuery, Map.of());
    }

    @Test
    void anObjectBelowTheTableIsReadAndCreated() {
        assertThat(checked("GET", PREFIX + "a").headers()).isEmpty();
        assertThat(checked("HEAD", PREFIX + "a").headers()).isEmpty();
        assertThat(checked("PUT", PREFIX + "a").headers()).isEqualTo(Map.of("if-none-match", "*"));
        assertThat(checked("POST", PREFIX + "a?uploads").headers()).isEmpty();
        assertThat(checked("PUT", PREFIX + "a?partNumber=1&uploadId=upload-1%3D")
                        .headers())
                .isEmpty();
        assertThat(checked("POST", PREFIX + "a?uploadId=upload-1").headers()).isEqualTo(Map.of("if-none-match", "*"));
        assertThat(checked("DELETE", PREFIX + "a?uploadId=upload-1").headers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET wh/acme/logs",
                "GET wh/acme/logs2/a",
                "GET wh/globex/logs/a",
                "GET wh/acme/logs/a?acl",
                "GET wh/acme/logs/a?policy",
                "GET wh/acme/logs/a?versionId=1",
                "GET wh/acme/logs/a?list-type=2",
                "GET wh/acme/logs/a?uploads",
                "GET wh/acme/logs/a?uploadId=x",
                "GET wh/acme/logs/a?response-content-type=text%2Fhtml",
                "GET wh/acme/logs/a?X-Amz-Signature=1",
                "HEAD wh/acme/logs/a?torrent",
                "PUT wh/acme/logs/a?acl",
                "PUT wh/acme/logs/a?tagging",
                "PUT wh/acme/logs/a?uploadId=x",
                "PUT wh/acme/logs/a?partNumber=&uploadId=",
                "PUT wh/acme/logs/a?partNumber=1&uploadId=",
                "PUT wh/acme/logs/a?partNumber=1&uploadId=%2F..%2Fglobex-upload",
                "PUT wh/acme/logs/a?partNumber=1&uploadId=..........",
                "DELETE wh/acme/logs/a?uploadId=",
                "DELETE wh/acme/logs/a?uploadId",
                "PUT wh/acme/logs/a?partNumber=1",
                "PUT wh/acme/logs/a?partNumber=1&uploadId=x&acl",
                "PUT wh/acme/logs/a?partNumber=1&uploadId=x;acl",
                "PUT wh/acme/logs/a?uploadId=x&uploadId=y&partNumber=1",
                "PUT wh/acme/logs/a?partNumber=1&uploadI%64=x",
                "PUT wh/acme/logs/metadata/00001-a.metadata.json",
                "PUT wh/acme/logs/metadata/00001-a.gz.metadata.json",
                "POST wh/acme/logs/metadata/00001-a.metadata.json.gz?uploads",
                "POST wh/acme/logs/a",
                "POST wh/acme/logs/a?delete",
                "POST wh/acme/logs/a?delete=",
                "POST wh/acme/logs/a?restore",
                "POST wh/acme/logs/a?uploads&delete",
                "DELETE wh/acme/logs/a",
                "DELETE wh/acme/logs/a?versionId=1",
                "PATCH wh/acme/logs/a",
                "OPTIONS wh/acme/logs/a",
                "get wh/acme/logs/a"
            })
    void otherRequestsAreRefused(String request) {
        int space = request.indexOf(' ');
        assertThatThrownBy(() -> checked(request.substring(0, space), request.substring(space + 1)))
                .isInstanceOf(ForbiddenException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-amz-copy-source",
                "X-Amz-Copy-Source",
                "x-amz-copy-source-range",
                "x-amz-acl",
                "x-amz-grant-read",
                "x-amz-security-token",
                "x-amz-date",
                "x-amz-website-redirect-location",
                "x-amz-object-lock-mode",
                "x-amz-storage-class",
                "x-amz-content-sha256"
            })
    void headersThatChangeWhatARequestDoesAreRefused(String header) {
        assertThatThrownBy(() -> checked("PUT", BASE + PREFIX + "a", Map.of(header, List.of("x"))))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining(header.toLowerCase(java.util.Locale.ROOT));
    }

    @Test
    void headersOfChecksumsAreSignedAndOthersAreNot() {
        Map<String, List<String>> headers = Map.of(
                "X-Amz-Checksum-Mode", List.of("ENABLED"),
                "x-amz-content-sha256", List.of("UNSIGNED-PAYLOAD"),
                "Range", List.of("bytes=0-1"),
                "amz-sdk-invocation-id", List.of("1"));
        assertThat(checked("GET", BASE + PREFIX + "a", headers).headers())
                .isEqualTo(Map.of("x-amz-checksum-mode", "ENABLED", "x-amz-content-sha256", "UNSIGNED-PAYLOAD"));
    }

    /** Paths of pieces that stores read in different ways. */
    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.of(
                        "wh",
                        "acme",
                        "logs",
                        "globex",
                        "logs2",
                        "made-1",
                        "a",
                        "/",
                        "/",
                        "/",
                        "//",
                        ".",
                        "..",
                        "../",
                        "%2e",
                        "%2E",
                        "%2f",
                        "%2F",
                        "%5c",
                        "\\",
                        "%",
                        "%25",
                        "%252e",
                        "%252f",
                        "%00",
                        "+",
                        "%20",
                        "%2B",
                        ";",
                        "%3B",
                        "?",
                        "#",
                        "%3D",
                        "=",
                        "~",
                        "%7E",
                        "%C3%A4",
                        "ä",
                        "wh/acme/logs/",
                        "wh/acme/logs/..",
                        "wh/acme/logs/%2e%2e/")
                .list()
                .ofMinSize(1)
                .ofMaxSize(9)
                .map(pieces -> "wh/acme/logs/" + String.join("", pieces));
    }

    @Property(tries = 20_000)
    void whateverIsSignedIsBelowTheTableInEveryReading(@ForAll("paths") String path) {
        ObjectRequest request;
        try {
            request = checked("GET", path);
        } catch (ForbiddenException | IllegalArgumentException e) {
            return;
        }
        String raw = request.uri().getRawPath();
        String read = raw;
        for (int decodings = 0; decodings < 4; decodings++) {
            assertThat(resolved(read)).as("%s read as %s", raw, read).startsWith("/lake/" + PREFIX);
            read = leniently(read);
        }
    }

    /** The path as a file system finds it. */
    private static String resolved(String path) {
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : path.replace('\\', '/').split("/", -1)) {
            if (segment.equals("..")) {
                segments.pollLast();
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.addLast(segment);
            }
        }
        return "/" + String.join("/", segments);
    }

    /** The path after one more decoding, which leaves what it cannot decode. */
    private static String leniently(String path) {
        return URLDecoder.decode(
                path.replaceAll("%(?![0-9A-Fa-f]{2})", "%25").replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Property(tries = 2_000)
    void everyNameThatTheClientOfAwsEncodesIsSigned(
            @ForAll @Size(min = 1, max = 10) List<@NotEmpty @StringLength(max = 40) String> names) {
        List<String> plain = names.stream()
                .map(name -> new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
                        .replaceAll("[\\p{Cc}%/\\\\]", "x"))
                .map(name -> name.replaceAll("^\\.{1,2}$", "x"))
                .toList();
        String key = PREFIX + String.join("/", plain);
        String uri = BASE + SdkHttpUtils.urlEncodeIgnoreSlashes(key);
        assertThat(STORE.key(checked("GET", uri, Map.of()).uri())).isEqualTo(key);
        assertThat(STORE.uri(key)).isEqualTo(URI.create(uri));
    }
}
