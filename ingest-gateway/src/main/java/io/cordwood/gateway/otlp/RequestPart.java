package io.cordwood.gateway.otlp;

import java.util.ArrayList;
import java.util.List;

/** Some log records of a request, with their resources and scopes. Not thread-safe. */
final class RequestPart {
    /** At most as much is around a resource or a scope, in either encoding. */
    static final int GROUP_BYTES = 64;

    private final List<ResourceGroup> resources = new ArrayList<>();
    private long bytes = GROUP_BYTES;
    private int records;

    /** Records of one resource: what it is, and its scopes. */
    record ResourceGroup(Ranges head, List<ScopeGroup> scopes) {}

    /** Records of one scope: what it is, and the records. */
    record ScopeGroup(Ranges head, Ranges records) {}

    /** What a record of these adds to the part at most. */
    long added(Ranges resource, Ranges scope, int size) {
        long added = size + 1L;
        if (resources.isEmpty() || resources.getLast().head() != resource) {
            return added + head(resource) + head(scope);
        }
        return resources.getLast().scopes().getLast().head() == scope ? added : added + head(scope);
    }

    private static long head(Ranges head) {
        return head.bytes() + head.count() + GROUP_BYTES;
    }

    void add(Ranges resource, Ranges scope, int from, int to) {
        bytes += added(resource, scope, to - from);
        if (resources.isEmpty() || resources.getLast().head() != resource) {
            resources.add(new ResourceGroup(resource, new ArrayList<>(1)));
        }
        List<ScopeGroup> scopes = resources.getLast().scopes();
        if (scopes.isEmpty() || scopes.getLast().head() != scope) {
            scopes.add(new ScopeGroup(scope, new Ranges()));
        }
        scopes.getLast().records().add(from, to);
        records++;
    }

    List<ResourceGroup> resources() {
        return resources;
    }

    /** Number of its log records. */
    int records() {
        return records;
    }

    /** Its size as a request at most. */
    long bytes() {
        return bytes;
    }
}
