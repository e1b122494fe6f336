package io.cordwood.catalog.server;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.Bearer;
import io.cordwood.catalog.protocol.IdentityJson;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.identity.Audit;
import io.cordwood.catalog.server.identity.Users;
import io.cordwood.catalog.tenant.User;
import io.cordwood.http.Reply;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.Token;
import java.util.List;
import org.apache.iceberg.exceptions.NotFoundException;

/** Users and their grants, under {@code /cordwood/v1}, and the audit of their changes. Thread-safe. */
final class UserRoutes {
    static final String USER = "/cordwood/v1/users/{user}";

    private static final String USERS = "/cordwood/v1/users";
    private static final int DEFAULT_ENTRIES = 100;
    private static final int MAX_ENTRIES = 10_000;

    private final Users users;
    private final Audit audit;

    UserRoutes(Users users, Audit audit) {
        this.users = users;
        this.audit = audit;
    }

    List<Route> routes() {
        Permission readers = Permission.OPERATOR.or(
                ServiceRole.QUERY, ServiceRole.SEARCH, ServiceRole.BALANCER, ServiceRole.GATEWAY);
        return List.of(
                new Route("GET", USERS, readers, call -> JsonReply.of(IdentityJson.toJson(users.accessRules()))),
                new Route("GET", USER, Permission.OPERATOR, this::user),
                new Route("PUT", USER, Permission.OPERATOR, this::put),
                new Route("DELETE", USER, Permission.OPERATOR, this::delete),
                new Route("GET", "/cordwood/v1/whoami", Permission.ANY_TOKEN, UserRoutes::whoami),
                new Route("GET", "/cordwood/v1/audit", Permission.OPERATOR, this::audit));
    }

    private Reply user(Call call) {
        String name = call.segment("user");
        return JsonReply.of(IdentityJson.toJson(users.find(name).orElseThrow(() -> noSuchUser(name))));
    }

    private Reply put(Call call) {
        User user = IdentityJson.user(Json.parse(call.body()));
        if (!user.name().equals(call.segment("user"))) {
            throw new IllegalArgumentException(
                    "The path names user '%s', the body '%s'".formatted(call.segment("user"), user.name()));
        }
        users.put(call.caller(), user);
        return JsonReply.of(IdentityJson.toJson(user));
    }

    private Reply delete(Call call) {
        String name = call.segment("user");
        if (!users.delete(call.caller(), name)) {
            throw noSuchUser(name);
        }
        return Reply.noContent();
    }

    private static Reply whoami(Call call) {
        return JsonReply.of(IdentityJson.toJson(new Bearer(
                call.caller().user(),
                call.caller().token().flatMap(Token::scope),
                call.caller().token().map(Token::expires))));
    }

    private Reply audit(Call call) {
        int limit = call.parameter("limit").map(UserRoutes::limit).orElse(DEFAULT_ENTRIES);
        return JsonReply.of(IdentityJson.auditToJson(audit.newest(limit)));
    }

    private static int limit(String text) {
        try {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= MAX_ENTRIES) {
                return limit;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Parameter limit is '%s', which is no number".formatted(text), e);
        }
        throw new IllegalArgumentException("Parameter limit is %s; it must be 1 to %d".formatted(text, MAX_ENTRIES));
    }

    private static NotFoundException noSuchUser(String userName) {
        return new NotFoundException("No user '%s' is registered", userName);
    }
}
