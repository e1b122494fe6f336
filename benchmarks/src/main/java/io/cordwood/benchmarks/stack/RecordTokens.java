package io.cordwood.benchmarks.stack;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.protocol.TokenRequest;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.Audience;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tokens that records of a closed stack need. Stateless. */
public final class RecordTokens {
    private static final Duration LIFE = Duration.ofDays(1);
    private static final String GATEWAY = "gateway";

    private RecordTokens() {}

    /** The request for a token that lets records name this tenant. */
    public static TokenRequest request(String tenant, Duration life) {
        return new TokenRequest(
                Audience.RECORDS, Optional.of(new Token.Scope(tenant, TenantRole.WRITER, Set.of())), Optional.of(life));
    }

    /** Makes a token for the records of all tenants, as a gateway sends them. */
    public static String ofGateway(CatalogClient operator) {
        operator.putUser(new User(GATEWAY, false, Optional.of(ServiceRole.GATEWAY), Map.of()));
        return operator.createToken(GATEWAY, new TokenRequest(Audience.RECORDS, Optional.empty(), Optional.of(LIFE)))
                .token();
    }
}
