package io.cordwood.catalog.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.IdentityJson;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Refusals;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.identity.TokenIssuer;
import io.cordwood.catalog.server.identity.TokenRegistry;
import io.cordwood.http.Reply;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.Token;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.exceptions.ForbiddenException;

/** Tokens under {@code /cordwood/v1}: their creation, revocation and rules. Thread-safe. */
final class TokenRoutes {
    private static final String BOOTSTRAP = "/cordwood/v1/bootstrap";
    private static final String JWKS = "/cordwood/v1/jwks";
    private static final String RULES = "/cordwood/v1/token-rules";
    private static final String TOKENS = "/cordwood/v1/tokens";
    private static final String TOKEN = TOKENS + "/{id}";

    private final TokenIssuer issuer;
    private final TokenRegistry tokens;
    private final TokenEndpoint endpoint;

    TokenRoutes(TokenIssuer issuer, TokenRegistry tokens, Refusals refusals) {
        this.issuer = issuer;
        this.tokens = tokens;
        this.endpoint = new TokenEndpoint(issuer, refusals);
    }

    List<Route> routes() {
        return List.of(
                new Route("POST", BOOTSTRAP, Permission.CREDENTIALS, this::bootstrap),
                new Route("POST", TokenEndpoint.PATH, Permission.CREDENTIALS, endpoint::answer),
                new Route("GET", JWKS, Permission.ANY_TOKEN, call -> Reply.json(issuer.jwks())),
                new Route(
                        "GET",
                        RULES,
                        Permission.OPERATOR.or(ServiceRole.values()),
                        call -> Reply.json(tokens.rules().toJson())),
                new Route("POST", UserRoutes.USER + "/tokens", Permission.PERSON, this::create),
                new Route("GET", TOKENS, Permission.PERSON, this::list),
                new Route("DELETE", TOKEN, Permission.PERSON, this::revoke));
    }

    /** The same endpoints of a service without authentication, which say so. */
    static List<Route> withoutAuthentication() {
        return List.of(
                missing("POST", BOOTSTRAP),
                missing("POST", TokenEndpoint.PATH),
                missing("GET", JWKS),
                missing("GET", RULES),
                missing("POST", UserRoutes.USER + "/tokens"),
                missing("GET", TOKENS),
                missing("DELETE", TOKEN));
    }

    private static Route missing(String method, String template) {
        return new Route(method, template, Permission.PERSON, call -> {
            throw new IllegalArgumentException(
                    "This catalog has no authentication, and so no tokens: start it with --bootstrap-token-file");
        });
    }

    private Reply bootstrap(Call call) {
        return JsonReply.of(IdentityJson.toJson(
                        issuer.bootstrap(call.authorization(), () -> Json.text(Json.parse(call.body()), "user"))))
                .secret();
    }

    private Reply create(Call call) {
        ObjectNode token = IdentityJson.toJson(issuer.create(
                call.caller(),
                call.segment("user"),
                IdentityJson.tokenRequest(call.body().length == 0 ? Json.object() : Json.parse(call.body()))));
        return JsonReply.of(token).secret();
    }

    private Reply list(Call call) {
        if (call.caller().token().flatMap(Token::scope).isPresent()) {
            throw new ForbiddenException("A token limited to one tenant lists no tokens");
        }
        Optional<String> asked = call.parameter("user");
        if (!call.caller().operator()
                && !asked.orElse(call.caller().name()).equals(call.caller().name())) {
            throw new ForbiddenException(
                    "User '%s' may list its own tokens only", call.caller().name());
        }
        Optional<String> user =
                call.caller().operator() ? asked : Optional.of(call.caller().name());
        return JsonReply.of(IdentityJson.tokensToJson(tokens.tokens(user)));
    }

    private Reply revoke(Call call) {
        tokens.revoke(call.caller(), call.segment("id"));
        return Reply.noContent();
    }
}
