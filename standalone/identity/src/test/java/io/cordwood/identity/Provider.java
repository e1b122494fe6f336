package io.cordwood.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The discovery document and keys of an OpenID provider over HTTP, and tokens signed with them. Not thread-safe. */
final class Provider implements AutoCloseable {
    private static final String DISCOVERY = "/.well-known/openid-configuration";
    private static final String JWKS = "/keys";
    private static final Map<String, RSAKey> KEYS = new ConcurrentHashMap<>();

    final RSAKey key;
    final AtomicInteger asked = new AtomicInteger();

    private final HttpServer server;
    private volatile String keys;
    private volatile String document;
    private volatile Duration pause = Duration.ZERO;

    Provider() throws Exception {
        key = key("k1");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        publish(new JWKSet(key).toString(true));
        describe(issuer().toString(), issuer() + JWKS);
        server.createContext(DISCOVERY, exchange -> answer(exchange, document));
        server.createContext(JWKS, exchange -> {
            asked.incrementAndGet();
            answer(exchange, keys);
        });
        server.start();
    }

    /** The key of that name. It is made once, for that takes seconds. */
    static RSAKey key(String id) {
        return KEYS.computeIfAbsent(id, Provider::newKey);
    }

    private static RSAKey newKey(String id) {
        try {
            return new RSAKeyGenerator(2048).keyUse(KeyUse.SIGNATURE).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange exchange, String body) throws IOException {
        try (exchange) {
            if (body.startsWith("http")) {
                exchange.getResponseHeaders().set("Location", body);
                exchange.sendResponseHeaders(302, -1);
                return;
            }
            byte[] bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            if (pause.isZero()) {
                exchange.getResponseBody().write(bytes);
                return;
            }
            for (byte next : bytes) {
                exchange.getResponseBody().write(next);
                exchange.getResponseBody().flush();
                LockSupport.parkNanos(pause.toNanos());
            }
        }
    }

    URI issuer() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Answers with these keys from now on; with a redirection if they are an address. */
    void publish(String jwks) {
        keys = jwks;
    }

    /** Waits after each byte from now on. */
    void trickle(Duration afterByte) {
        pause = afterByte;
    }

    void describe(String issuer, String jwksUri) {
        document = "{\"issuer\":\"%s\",\"jwks_uri\":\"%s\"}".formatted(issuer, jwksUri);
    }

    /** Redirects who asks for the document. */
    void redirect(String location) {
        document = location;
    }

    /** The claims of a good token of user ann. */
    JWTClaimsSet.Builder claims() {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(issuer().toString())
                .audience("cordwood")
                .subject("ann")
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(300)));
    }

    String token(JWTClaimsSet claims) throws Exception {
        return signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(), claims, new RSASSASigner(key));
    }

    static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner signer) throws Exception {
        SignedJWT jwt = new SignedJWT(header, claims);
        jwt.sign(signer);
        return jwt.serialize();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
