package io.cordwood.catalog.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.Audience;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * JSON of users, grants, tokens and the audit, for client and server. Stateless, thread-safe. Times are whole seconds
 * since the epoch.
 *
 * <p>Every reading method throws {@link IllegalArgumentException}, with a message for the caller, if the JSON is
 * malformed.
 */
public final class IdentityJson {
    private static final String NAME = "name";
    private static final String USER = "user";
    private static final String OPERATOR = "operator";
    private static final String SERVICE = "service";
    private static final String GRANTS = "grants";
    private static final String AUDIENCE = "audience";
    private static final String SCOPE = "scope";
    private static final String TENANT = "tenant";
    private static final String ROLE = "role";
    private static final String STREAMS = "streams";
    private static final String EXPIRES = "expires";
    private static final String EXPIRES_SECONDS = "expires_seconds";

    private IdentityJson() {}

    /** {@code {"name":..,"operator":..,"service":..,"grants":{"<tenant>":["<role>"]}}}; the service if it is one. */
    public static ObjectNode toJson(User user) {
        return describe(Json.object().put(NAME, user.name()), user);
    }

    private static ObjectNode describe(ObjectNode json, User user) {
        json.put(OPERATOR, user.operator());
        user.service().ifPresent(service -> json.put(SERVICE, service.label()));
        ObjectNode grants = json.putObject(GRANTS);
        new TreeMap<>(user.grants()).forEach((tenant, roles) -> {
            ArrayNode labels = grants.putArray(tenant);
            roles.stream().sorted().forEach(role -> labels.add(role.label()));
        });
        return json;
    }

    /** Reads {@link #toJson(User)}; only the name is required. */
    public static User user(JsonNode json) {
        return user(json, NAME);
    }

    private static User user(JsonNode json, String nameMember) {
        JsonNode operator = json.path(OPERATOR);
        if (!operator.isMissingNode() && !operator.isBoolean()) {
            throw new IllegalArgumentException("Member 'operator' is neither true nor false");
        }
        if (json.has("tenants")) {
            throw new IllegalArgumentException(
                    "Member 'tenants' has become 'grants': {\"grants\": {\"acme\": [\"reader\", \"writer\"]}}");
        }
        Optional<ServiceRole> service =
                json.has(SERVICE) ? Optional.of(ServiceRole.of(Json.text(json, SERVICE))) : Optional.empty();
        return new User(Json.text(json, nameMember), operator.asBoolean(), service, grants(json.path(GRANTS)));
    }

    private static Map<String, Set<TenantRole>> grants(JsonNode json) {
        if (!json.isMissingNode() && !json.isObject()) {
            throw new IllegalArgumentException("Member 'grants' is not a JSON object");
        }
        Map<String, Set<TenantRole>> grants = new TreeMap<>();
        json.properties()
                .forEach(grant -> grants.put(
                        grant.getKey(),
                        Json.texts(json, grant.getKey()).stream()
                                .map(TenantRole::of)
                                .collect(Collectors.toSet())));
        return grants;
    }

    /** {@code {"open":..,"users":[..]}}. */
    public static JsonNode toJson(AccessRules rules) {
        ObjectNode json = Json.object().put("open", rules.open());
        ArrayNode users = json.putArray("users");
        rules.users().forEach(user -> users.add(toJson(user)));
        return json;
    }

    /** Reads {@link #toJson(AccessRules)}. */
    public static AccessRules accessRules(JsonNode json) {
        List<User> users = new ArrayList<>();
        Json.array(json.path("users"), "users").forEach(user -> users.add(user(user)));
        return new AccessRules(json.path("open").asBoolean(), users);
    }

    /** {@code {"user":..,"operator":..,"service":..,"grants":{..},"scope":{..},"expires":..}}. */
    public static ObjectNode toJson(Bearer bearer) {
        User user = bearer.user();
        ObjectNode json = describe(Json.object().put(USER, user.name()), user);
        bearer.scope().ifPresent(scope -> json.set(SCOPE, put(Json.object(), scope)));
        bearer.expires().ifPresent(expires -> json.put(EXPIRES, expires.getEpochSecond()));
        return json;
    }

    /** Reads {@link #toJson(Bearer)}. */
    public static Bearer bearer(JsonNode json) {
        return new Bearer(user(json, USER), scope(json.path(SCOPE)), seconds(json, EXPIRES));
    }

    private static ObjectNode put(ObjectNode json, Token.Scope scope) {
        json.put(TENANT, scope.tenant()).put(ROLE, scope.role().label());
        if (!scope.streams().isEmpty()) {
            scope.streams().stream().sorted().forEach(json.putArray(STREAMS)::add);
        }
        return json;
    }

    /** The scope of a token; empty if the JSON has none of its members. */
    private static Optional<Token.Scope> scope(JsonNode json) {
        if (!json.has(TENANT) && !json.has(ROLE) && !json.has(STREAMS)) {
            return Optional.empty();
        }
        return Optional.of(new Token.Scope(
                Json.text(json, TENANT), TenantRole.of(Json.text(json, ROLE)), Set.copyOf(Json.texts(json, STREAMS))));
    }

    /**
     * {@code {"audience":..,"tenant":..,"role":..,"streams":[..],"expires_seconds":..}}, without what is not asked for.
     */
    public static ObjectNode toJson(TokenRequest request) {
        ObjectNode json = Json.object().put(AUDIENCE, request.audience().label());
        request.scope().ifPresent(scope -> put(json, scope));
        request.life().ifPresent(life -> json.put(EXPIRES_SECONDS, life.toSeconds()));
        return json;
    }

    /** Reads {@link #toJson(TokenRequest)}; without an audience, the token is for requests. */
    public static TokenRequest tokenRequest(JsonNode json) {
        return new TokenRequest(
                json.has(AUDIENCE) ? Audience.of(Json.text(json, AUDIENCE)) : Audience.REQUESTS,
                scope(json),
                Json.wholeNumber(json, EXPIRES_SECONDS).map(Duration::ofSeconds));
    }

    /** {@code {"id":..,"token":..,"expires":..}}. */
    public static ObjectNode toJson(IssuedToken token) {
        return Json.object()
                .put("id", token.id())
                .put("token", token.token())
                .put(EXPIRES, token.expires().getEpochSecond());
    }

    /** Reads {@link #toJson(IssuedToken)}. */
    public static IssuedToken issuedToken(JsonNode json) {
        return new IssuedToken(
                Json.text(json, "id"), Json.text(json, "token"), Instant.ofEpochSecond(Json.number(json, EXPIRES)));
    }

    /**
     * {@code {"tokens":[{"id":..,"user":..,"audience":..,"scope":{..},"issued":..,"expires":..,"parent":..,
     * "revoked":..}]}}, without what a token does not have; the revocation in microseconds.
     */
    public static ObjectNode tokensToJson(Collection<RegisteredToken> tokens) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("tokens");
        for (RegisteredToken token : tokens) {
            ObjectNode object = array.addObject()
                    .put("id", token.id())
                    .put(USER, token.user())
                    .put(AUDIENCE, token.audience().label());
            token.scope().ifPresent(scope -> object.set(SCOPE, put(Json.object(), scope)));
            object.put("issued", token.issued().getEpochSecond())
                    .put(EXPIRES, token.expires().getEpochSecond());
            token.parent().ifPresent(parent -> object.put("parent", parent));
            token.revoked().ifPresent(from -> object.put("revoked", ChronoUnit.MICROS.between(Instant.EPOCH, from)));
        }
        return json;
    }

    /** Reads {@link #tokensToJson}. */
    public static List<RegisteredToken> tokens(JsonNode json) {
        List<RegisteredToken> tokens = new ArrayList<>();
        for (JsonNode token : Json.array(json.path("tokens"), "tokens")) {
            tokens.add(new RegisteredToken(
                    Json.text(token, "id"),
                    Json.text(token, USER),
                    Audience.of(Json.text(token, AUDIENCE)),
                    scope(token.path(SCOPE)),
                    Instant.ofEpochSecond(Json.number(token, "issued")),
                    Instant.ofEpochSecond(Json.number(token, EXPIRES)),
                    token.has("parent") ? Optional.of(Json.text(token, "parent")) : Optional.empty(),
                    Json.wholeNumber(token, "revoked").map(micros -> Instant.EPOCH.plus(micros, ChronoUnit.MICROS))));
        }
        return tokens;
    }

    /** {@code {"entries":[{"at":..,"actor":..,"action":..,"subject":..,"detail":..,"count":..}]}}. */
    public static ObjectNode auditToJson(List<AuditEntry> entries) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("entries");
        entries.forEach(entry -> array.addObject()
                .put("at", entry.at().getEpochSecond())
                .put("actor", entry.actor())
                .put("action", entry.action())
                .put("subject", entry.subject())
                .put("detail", entry.detail())
                .put("count", entry.count()));
        return json;
    }

    /** Reads {@link #auditToJson}. */
    public static List<AuditEntry> audit(JsonNode json) {
        List<AuditEntry> entries = new ArrayList<>();
        for (JsonNode entry : Json.array(json.path("entries"), "entries")) {
            entries.add(new AuditEntry(
                    Instant.ofEpochSecond(Json.number(entry, "at")),
                    Json.text(entry, "actor"),
                    Json.text(entry, "action"),
                    Json.text(entry, "subject"),
                    Json.text(entry, "detail"),
                    Json.number(entry, "count")));
        }
        return entries;
    }

    private static Optional<Instant> seconds(JsonNode json, String member) {
        return Json.wholeNumber(json, member).map(Instant::ofEpochSecond);
    }
}
