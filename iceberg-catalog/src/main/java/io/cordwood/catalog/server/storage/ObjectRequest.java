package io.cordwood.catalog.server.storage;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.rest.requests.RemoteSignRequest;

/**
 * A request for one object of a table that may be signed. Immutable.
 *
 * @param method HTTP method
 * @param uri address of the object with the query, unchanged
 * @param headers what is signed beside the host and the date, by lower-case names
 */
record ObjectRequest(String method, URI uri, Map<String, String> headers) {
    static final String CONTENT_SHA256 = "x-amz-content-sha256";
    static final String UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";

    private static final Set<String> READING = Set.of("GET", "HEAD");
    /**
     * The parameters that go together, by method. Everything else is refused: lists, access rules, deletes of one
     * object or many, and what S3 adds later.
     */
    private static final Map<String, Set<Set<String>>> QUERIES = Map.of(
            "GET", Set.of(Set.of()),
            "HEAD", Set.of(Set.of()),
            "PUT", Set.of(Set.of(), Set.of("partNumber", "uploadId")),
            "POST", Set.of(Set.of("uploads"), Set.of("uploadId")),
            "DELETE", Set.of(Set.of("uploadId")));

    /** Some stores use the id in names of files, so it has no slash, and is no path. */
    private static final Map<String, Pattern> VALUES = Map.of(
            "uploads", Pattern.compile(""),
            "partNumber", Pattern.compile("[1-9][0-9]{0,4}"),
            "uploadId", Pattern.compile("(?!\\.+$)([A-Za-z0-9._~-]|%2B|%3D){8,}"));

    private static final String AMAZON = "x-amz-";
    /** Headers that only say how the content is checked. */
    private static final Pattern CHECKSUM = Pattern.compile("x-amz-(checksum-[a-z0-9-]+|sdk-checksum-algorithm|te)");
    /** Table metadata, which the service alone writes. */
    private static final Pattern METADATA = Pattern.compile(".*\\.metadata\\.json(\\.gz)?", Pattern.DOTALL);

    ObjectRequest {
        headers = Map.copyOf(headers);
    }

    /** Whether a method only reads. */
    static boolean reads(String method) {
        return READING.contains(method);
    }

    /**
     * Checks a request for an object of a table.
     *
     * @param prefix of the keys of the table, with a slash at the end
     * @throws ForbiddenException if it is for anything else, or does more than to read or to create one object
     */
    static ObjectRequest checked(RemoteSignRequest request, StoreAddress store, String prefix) {
        String method = request.method();
        if (!QUERIES.containsKey(method)) {
            throw new ForbiddenException("A request with method %s is not signed", method);
        }
        String key = store.key(request.uri());
        if (!key.startsWith(prefix)) {
            throw new ForbiddenException("The address %s is not below the table's location %s", request.uri(), prefix);
        }
        Set<String> parameters = parameters(request.uri());
        if (!QUERIES.get(method).contains(parameters)) {
            throw new ForbiddenException("A request %s with the parameters %s is not signed", method, parameters);
        }
        Map<String, String> headers = amazonHeaders(request.headers());
        if (!reads(method)) {
            if (METADATA.matcher(key).matches()) {
                throw new ForbiddenException("%s is table metadata, which only the catalog writes", key);
            }
            if (creates(method, parameters)) {
                // Whoever overwrites a committed manifest could name the files of another table in it
                headers.put("if-none-match", "*");
            }
        }
        return new ObjectRequest(method, request.uri(), headers);
    }

    /** Whether an object appears under the key: by one request, or by the last one of a multipart upload. */
    private static boolean creates(String method, Set<String> parameters) {
        return parameters.isEmpty() || (method.equals("POST") && parameters.contains("uploadId"));
    }

    private static Set<String> parameters(URI uri) {
        Set<String> names = new HashSet<>();
        if (uri.getRawQuery() == null || uri.getRawQuery().isEmpty()) {
            return names;
        }
        for (String parameter : uri.getRawQuery().split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            Pattern value = VALUES.get(parts[0]);
            boolean plain = value != null
                    && value.matcher(parts.length == 1 ? "" : parts[1]).matches();
            if (!plain || !names.add(parts[0])) {
                throw new ForbiddenException("The query of %s is not one that S3's clients send", uri);
            }
        }
        return names;
    }

    private static Map<String, String> amazonHeaders(Map<String, List<String>> all) {
        Map<String, String> headers = new TreeMap<>();
        all.forEach((header, values) -> {
            String name = header.toLowerCase(Locale.ROOT);
            if (!name.startsWith(AMAZON)) {
                return;
            }
            boolean harmless = name.equals(CONTENT_SHA256)
                    ? values.equals(List.of(UNSIGNED_PAYLOAD))
                    : CHECKSUM.matcher(name).matches() && values.size() == 1;
            if (!harmless) {
                throw new ForbiddenException("A request with header %s is not signed", name);
            }
            headers.put(name, values.getFirst());
        });
        return headers;
    }
}
