package io.cordwood.catalog.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.IssuedToken;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Refusals;
import io.cordwood.catalog.server.identity.TokenIssuer;
import io.cordwood.http.Reply;
import io.cordwood.identity.Audience;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.exceptions.NotAuthorizedException;

/**
 * The token endpoint of OAuth 2 (RFC 6749, and RFC 8693 for exchanges): an API key is a client's secret, and buys a
 * token for an hour, for requests or for the records of a tenant. So does a token of the OpenID provider. Thread-safe.
 */
final class TokenEndpoint {
    static final String PATH = "/cordwood/v1/oauth2/token";

    private static final String CREDENTIALS = "client_credentials";
    private static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
    private static final List<String> SUBJECT_TYPES =
            List.of(ACCESS_TOKEN, "urn:ietf:params:oauth:token-type:id_token", "urn:ietf:params:oauth:token-type:jwt");
    private static final String BASIC = "Basic ";
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int UNAVAILABLE = 503;
    private static final String RETRY_AFTER_SECONDS = "30";

    private final TokenIssuer issuer;
    private final Refusals refusals;

    TokenEndpoint(TokenIssuer issuer, Refusals refusals) {
        this.issuer = issuer;
        this.refusals = refusals;
    }

    private record Client(String id, String secret) {}

    Reply answer(Call call) {
        Map<String, String> form;
        Optional<Client> client;
        try {
            form = form(new String(call.body(), StandardCharsets.UTF_8));
            client = client(call.authorization(), form);
        } catch (IllegalArgumentException e) {
            return error(BAD_REQUEST, "invalid_request", "The request is not form-encoded");
        }
        String grant = form.getOrDefault("grant_type", "");
        return switch (grant) {
            case CREDENTIALS ->
                client.map(known -> credentials(call, known, form))
                        .orElseGet(
                                () -> error(BAD_REQUEST, "invalid_request", "client_id or client_secret is missing"));
            case EXCHANGE -> exchange(call, form);
            case "" -> error(BAD_REQUEST, "invalid_request", "grant_type is missing");
            default -> error(BAD_REQUEST, "unsupported_grant_type", "Use %s or %s".formatted(CREDENTIALS, EXCHANGE));
        };
    }

    private Reply credentials(Call call, Client client, Map<String, String> form) {
        try {
            return token(issuer.exchange(Optional.of(client.id()), client.secret(), purpose(form)));
        } catch (IllegalArgumentException e) {
            return error(BAD_REQUEST, "invalid_request", e.getMessage());
        } catch (NotAuthorizedException e) {
            refused(call, e);
            return error(UNAUTHORIZED, "invalid_client", e.getMessage())
                    .with("WWW-Authenticate", "Basic realm=\"cordwood\"");
        }
    }

    private Reply exchange(Call call, Map<String, String> form) {
        String subject = form.getOrDefault("subject_token", "").strip();
        if (subject.isEmpty()) {
            return error(BAD_REQUEST, "invalid_request", "subject_token is missing");
        }
        String type = form.getOrDefault("subject_token_type", ACCESS_TOKEN);
        if (!SUBJECT_TYPES.contains(type)) {
            return error(BAD_REQUEST, "invalid_request", "subject_token_type is none of %s".formatted(SUBJECT_TYPES));
        }
        try {
            return token(
                    issuer.isExternal(subject)
                            ? issuer.exchangeExternal(subject, purpose(form))
                            : issuer.exchange(Optional.empty(), subject, purpose(form)));
        } catch (IOException e) {
            return error(UNAVAILABLE, "temporarily_unavailable", e.getMessage())
                    .with("Retry-After", RETRY_AFTER_SECONDS);
        } catch (IllegalArgumentException e) {
            return error(BAD_REQUEST, "invalid_request", e.getMessage());
        } catch (NotAuthorizedException e) {
            refused(call, e);
            return error(BAD_REQUEST, "invalid_grant", e.getMessage());
        }
    }

    /** {@code audience}, and for one of records {@code tenant} and the {@code stream}s, separated by spaces. */
    private static TokenIssuer.Purpose purpose(Map<String, String> form) {
        String streams = form.getOrDefault("stream", "").strip();
        return new TokenIssuer.Purpose(
                Audience.of(form.getOrDefault("audience", Audience.REQUESTS.label())),
                Optional.ofNullable(form.get("tenant")),
                streams.isEmpty() ? Set.of() : Set.copyOf(Arrays.asList(streams.split(" +", -1))));
    }

    private void refused(Call call, NotAuthorizedException e) {
        refusals.refused("", "POST " + PATH, call.client(), e.getMessage());
    }

    private static Reply token(IssuedToken issued) {
        ObjectNode json = Json.object()
                .put("access_token", issued.token())
                .put("token_type", "bearer")
                .put(
                        "expires_in",
                        Duration.between(Instant.now(), issued.expires())
                                .plusMillis(999)
                                .toSeconds())
                .put("issued_token_type", ACCESS_TOKEN);
        return JsonReply.of(json).secret();
    }

    private static Reply error(int status, String error, String description) {
        return JsonReply.of(status, Json.object().put("error", error).put("error_description", description))
                .secret();
    }

    /** The client's id and secret in the header, else in the form. */
    private static Optional<Client> client(Optional<String> authorization, Map<String, String> form) {
        if (authorization.isPresent() && authorization.get().regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            String pair = new String(
                    Base64.getDecoder()
                            .decode(authorization
                                    .get()
                                    .substring(BASIC.length())
                                    .strip()),
                    StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            return colon < 0
                    ? Optional.empty()
                    : Optional.of(new Client(decoded(pair.substring(0, colon)), decoded(pair.substring(colon + 1))));
        }
        return form.containsKey("client_id") && form.containsKey("client_secret")
                ? Optional.of(new Client(form.get("client_id"), form.get("client_secret")))
                : Optional.empty();
    }

    private static Map<String, String> form(String body) {
        Map<String, String> form = new HashMap<>();
        for (String pair : body.strip().split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                form.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return form;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
