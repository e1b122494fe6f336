package io.cordwood.catalog.server.http;

import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTUtil;

/** A request and its route. Immutable, the body by convention. */
public final class Call {
    private static final String NAMESPACE_SEPARATOR = "%1F";
    private static final byte[] NO_BODY = new byte[0];

    private final Caller caller;
    private final Map<String, String> path;
    private final Map<String, String> query;
    private final UnaryOperator<String> headers;
    private final String client;
    private final byte[] body;

    /**
     * A call with the variable segments of the path, still encoded.
     *
     * @param headers first value of the header of a name; null if the request has none
     * @param client address that it came from
     */
    public Call(
            Caller caller,
            Map<String, String> path,
            Map<String, String> query,
            UnaryOperator<String> headers,
            String client,
            byte[] body) {
        this.caller = caller;
        this.path = Map.copyOf(path);
        this.query = Map.copyOf(query);
        this.headers = headers;
        this.client = client;
        this.body = body;
    }

    /** A call whose body is not read yet. */
    static Call withoutBody(
            Caller caller,
            Map<String, String> path,
            Map<String, String> query,
            UnaryOperator<String> headers,
            String client) {
        return new Call(caller, path, query, headers, client, NO_BODY);
    }

    Call withBody(byte[] read) {
        return new Call(caller, path, query, headers, client, read);
    }

    public Caller caller() {
        return caller;
    }

    public byte[] body() {
        return body;
    }

    /** Address that the request came from. */
    public String client() {
        return client;
    }

    /** First value of a header. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.apply(name));
    }

    /** Value of the header {@code Authorization}. */
    public Optional<String> authorization() {
        return header("Authorization");
    }

    public Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name)).filter(value -> !value.isEmpty());
    }

    public String segment(String name) {
        return RESTUtil.decodePathSegment(path.get(name));
    }

    public Namespace namespace() {
        return RESTUtil.decodeNamespaceAsPathSegment(path.get("namespace"), NAMESPACE_SEPARATOR);
    }

    /** The namespace in the path of an endpoint of Iceberg, or the schema in one of ours. */
    Namespace schema() {
        return path.containsKey("schema") ? Namespace.of(segment("schema")) : namespace();
    }

    boolean hasTable() {
        return path.containsKey("table");
    }

    public TableIdentifier table() {
        return TableIdentifier.of(namespace(), segment("table"));
    }
}
