package io.cordwood.catalog.server.http;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.tenant.User;
import io.cordwood.http.Sender;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;

/**
 * The sender of a request, with its permissions. Immutable.
 *
 * <p>Nothing is looked up before it is known whether the caller may know of it. So the refusal is the same for what
 * does not exist and for what is not granted.
 */
public final class Caller {
    /** Any caller of a service without authentication. */
    public static final Caller ANYONE = new Caller(User.operator("anyone"), Optional.empty());

    private final User user;
    private final Optional<Token> token;
    private final Map<String, Set<TenantRole>> rolesBySchema = new HashMap<>();

    private Caller(User user, Optional<Token> token) {
        this.user = user;
        this.token = token;
        user.grants().forEach((tenant, roles) -> rolesBySchema.put(TenantNames.schemaName(tenant), roles));
    }

    /** A user with a token: all that both the user's grants and the token's scope allow. */
    public static Caller of(User user, Token token) {
        requireNonNull(token, "token is null");
        return new Caller(token.scope().map(user::limitedTo).orElse(user), Optional.of(token));
    }

    public String name() {
        return user.name();
    }

    /** The user, without what the token's scope excludes. */
    public User user() {
        return user;
    }

    /** The caller's token; empty without authentication. */
    public Optional<Token> token() {
        return token;
    }

    /** Whether it may do everything. */
    public boolean operator() {
        return user.operator();
    }

    public Optional<ServiceRole> service() {
        return user.service();
    }

    /** Whether it is neither an operator nor a service, so that what it commits is checked. */
    public boolean isPerson() {
        return !operator() && service().isEmpty();
    }

    /** The kind of senders whose bounds the bodies of its requests have. */
    Sender sender() {
        return isPerson() ? Sender.PERSON : Sender.SERVICE;
    }

    /** Whether it has any role in the tenant of this namespace. Services see all that their routes show. */
    public boolean sees(Namespace namespace) {
        return !isPerson() || !roles(namespace).isEmpty();
    }

    /** Whether it reads the tables of this namespace. */
    public boolean reads(Namespace namespace) {
        return !isPerson() || User.includes(roles(namespace), TenantRole.READER);
    }

    /** Whether it reads this stream of this tenant. */
    public boolean reads(String tenantId, String stream) {
        return reads(Namespace.of(TenantNames.schemaName(tenantId))) && admits(stream);
    }

    /** Whether its token is for all streams, or this one. */
    public boolean admits(String stream) {
        Collection<String> streams =
                token.flatMap(Token::scope).map(Token.Scope::streams).orElse(Set.of());
        return streams.isEmpty() || streams.contains(stream);
    }

    private Set<TenantRole> roles(Namespace namespace) {
        return namespace.isEmpty() ? Set.of() : rolesBySchema.getOrDefault(namespace.level(0), Set.of());
    }

    /** Lets only members of the tenant of this namespace pass. @throws ForbiddenException for others */
    public void requireMember(Namespace namespace) {
        require(sees(namespace), namespace);
    }

    /** Lets only readers of this namespace pass. @throws ForbiddenException for others */
    public void requireReader(Namespace namespace) {
        require(reads(namespace), namespace);
    }

    /** Lets only readers of this table pass. @throws ForbiddenException for others */
    public void requireReader(TableIdentifier table) {
        require(reads(table.namespace()) && admits(table.name()), table.namespace());
    }

    /** Lets only writers of this table pass. @throws ForbiddenException for others */
    public void requireWriter(TableIdentifier table) {
        require(writes(table), table.namespace());
    }

    /** Whether it commits to this table. */
    public boolean writes(TableIdentifier table) {
        boolean writes = !isPerson() || User.includes(roles(table.namespace()), TenantRole.WRITER);
        return writes && admits(table.name());
    }

    private void require(boolean allowed, Namespace namespace) {
        if (!allowed) {
            throw new ForbiddenException("User '%s' is not granted this in namespace '%s'", name(), namespace);
        }
    }

    /** Lets only operators pass. @throws ForbiddenException for others */
    public void requireOperator() {
        if (!operator()) {
            throw new ForbiddenException("User '%s' is not an operator", name());
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
