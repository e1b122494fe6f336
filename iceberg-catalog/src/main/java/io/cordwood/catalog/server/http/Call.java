package io.cordwood.catalog.server.http;

import java.util.Map;
import java.util.Optional;
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
    private final Optional<String> authorization;
    private final byte[] body;

    /**
     * A call with the variable segments of the path, still encoded.
     *
     * @param authorization value of the header of this name
     */
    public Call(
            Caller caller,
            Map<String, String> path,
            Map<String, String> query,
            Optional<String> authorization,
            byte[] body) {
        this.caller = caller;
        this.path = Map.copyOf(path);
        this.query = Map.copyOf(query);
        this.authorization = authorization;
        this.body = body;
    }

    /** A call whose body is not read yet. */
    static Call withoutBody(
            Caller caller, Map<String, String> path, Map<String, String> query, Optional<String> authorization) {
        return new Call(caller, path, query, authorization, NO_BODY);
    }

    Call withBody(byte[] read) {
        return new Call(caller, path, query, authorization, read);
    }

    public Caller caller() {
        return caller;
    }

    public byte[] body() {
        return body;
    }

    /** Value of the header {@code Authorization}. */
    public Optional<String> authorization() {
        return authorization;
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
