package io.cordwood.gateway.tenant;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpFields;

/** The API key of a request, as clients of each protocol send it. Stateless. */
public final class Credentials {
    private static final String API_KEY_HEADER = "X-API-Key";
    private static final String API_KEY = "ApiKey";
    private static final List<String> AS_BEARER = List.of("Splunk", API_KEY);

    private Credentials() {}

    /** The value of {@code Authorization} that says the same as bearer or Basic; empty if the request has no key. */
    public static Optional<String> authorization(HttpFields headers) {
        return authorizationOf(name -> Optional.ofNullable(headers.get(name)));
    }

    /** The same for headers of another kind: a function gives the value of a name. */
    public static Optional<String> authorizationOf(Function<String, Optional<String>> headers) {
        return headers.apply(API_KEY_HEADER)
                .map(key -> "Bearer " + key.strip())
                .or(() -> headers.apply("Authorization").map(Credentials::normalized));
    }

    private static String normalized(String authorization) {
        for (String scheme : AS_BEARER) {
            if (authorization.regionMatches(true, 0, scheme + " ", 0, scheme.length() + 1)) {
                String key = authorization.substring(scheme.length() + 1).strip();
                return "Bearer " + (scheme.equals(API_KEY) ? withoutId(key) : key);
            }
        }
        return authorization;
    }

    /** Elasticsearch's clients send {@code id:key} in Base64, or a key as it is. */
    private static String withoutId(String key) {
        try {
            String pair = new String(Base64.getDecoder().decode(key), UTF_8);
            return pair.substring(pair.indexOf(':') + 1);
        } catch (IllegalArgumentException e) {
            // A token has dots, which Base64 has not
            return key;
        }
    }
}
