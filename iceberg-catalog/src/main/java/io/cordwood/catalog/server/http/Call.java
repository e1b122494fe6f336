package io.cordwood.catalog.server.http;

import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTUtil;

/** A request and its route. Immutable, the body by convention. */
public final class Call {
    private static final String NAMESPACE_SEPARATOR = "%1F";

    private final Caller caller;
    private final Map<String, String> path;
    private final Map<String, String> query;
    private final byte[] body;

    /** A call with the variable segments of the path, still encoded. */
    public Call(Caller caller, Map<String, String> path, Map<String, String> query, byte[] body) {
        this.caller = caller;
        this.path = Map.copyOf(path);
        this.query = Map.copyOf(query);
        this.body = body;
    }

    public Caller caller() {
        return caller;
    }

    public byte[] body() {
        return body;
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

    public TableIdentifier table() {
        return TableIdentifier.of(namespace(), segment("table"));
    }
}
