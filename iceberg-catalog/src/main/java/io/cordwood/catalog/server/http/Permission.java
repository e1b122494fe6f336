package io.cordwood.catalog.server.http;

import io.cordwood.identity.ServiceRole;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.exceptions.ForbiddenException;

/**
 * What a caller must be allowed before a request's body is read and its action runs. Operators are allowed everything.
 * Immutable.
 *
 * @param rule for people, and for the token itself
 * @param services services that are allowed it, too
 */
public record Permission(Rule rule, Set<ServiceRole> services) {
    /** The demand on people. */
    public enum Rule {
        /** None, not even a token. */
        NONE,
        /** The action itself checks the credentials in the request. */
        CREDENTIALS,
        /** Any valid token; the action checks the rest. */
        PERSON,
        /** A role in the tenant of the namespace in the path. */
        MEMBER,
        /** To read the table in the path, or all tables of its namespace. */
        READER,
        /** To commit to the table in the path. */
        WRITER,
        /** To be an operator. */
        OPERATOR
    }

    public static final Permission NONE = of(Rule.NONE);
    public static final Permission CREDENTIALS = of(Rule.CREDENTIALS);
    public static final Permission PERSON = of(Rule.PERSON);
    public static final Permission MEMBER = of(Rule.MEMBER);
    public static final Permission READER = of(Rule.READER);
    public static final Permission WRITER = of(Rule.WRITER);
    public static final Permission OPERATOR = of(Rule.OPERATOR);
    /** Any valid token, of a person or a service. */
    public static final Permission ANY_TOKEN = new Permission(Rule.PERSON, EnumSet.allOf(ServiceRole.class));

    public Permission {
        services = Set.copyOf(services);
    }

    private static Permission of(Rule rule) {
        return new Permission(rule, Set.of());
    }

    /** This, and these services. */
    public Permission or(ServiceRole... allowed) {
        return new Permission(rule, Set.copyOf(List.of(allowed)));
    }

    /** Whether the caller is found by its token. */
    boolean needsToken() {
        return rule != Rule.NONE && rule != Rule.CREDENTIALS;
    }

    /** @throws ForbiddenException if the caller is not allowed this */
    void check(Caller caller, Call call) {
        if (caller.service().isPresent()) {
            ServiceRole service = caller.service().get();
            if (!services.contains(service)) {
                throw new ForbiddenException(
                        "User '%s' is the service %s, which may not do this", caller.name(), service.label());
            }
            return;
        }
        switch (rule) {
            case OPERATOR -> caller.requireOperator();
            case MEMBER -> caller.requireMember(call.schema());
            case READER -> {
                if (call.hasTable()) {
                    caller.requireReader(call.table());
                } else {
                    caller.requireReader(call.namespace());
                }
            }
            case WRITER -> caller.requireWriter(call.table());
            case PERSON, NONE, CREDENTIALS -> {}
        }
    }
}
