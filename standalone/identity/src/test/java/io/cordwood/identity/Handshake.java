package io.cordwood.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** A client and a server of TLS that talk through memory, in one thread. Not thread-safe. */
public final class Handshake {
    private static final int CAPACITY = 1 << 17;
    private static final int MAX_STEPS = 1000;

    private final SSLEngine client;
    private final SSLEngine server;
    private final ByteBuffer toServer = ByteBuffer.allocate(CAPACITY);
    private final ByteBuffer toClient = ByteBuffer.allocate(CAPACITY);
    private final ByteBuffer received = ByteBuffer.allocate(CAPACITY);

    private Handshake(SSLEngine client, SSLEngine server) {
        this.client = client;
        this.server = server;
    }

    /**
     * Shakes hands.
     *
     * @throws SSLException if one refuses the other
     */
    public static Handshake between(SSLEngine client, SSLEngine server) throws SSLException {
        client.setUseClientMode(true);
        server.setUseClientMode(false);
        Handshake handshake = new Handshake(client, server);
        handshake.run();
        return handshake;
    }

    private void run() throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        for (int i = 0; isRunning(client) || isRunning(server); i++) {
            if (i == MAX_STEPS) {
                throw new SSLException("The handshake does not end");
            }
            step(client, toClient, toServer);
            step(server, toServer, toClient);
        }
    }

    private static boolean isRunning(SSLEngine engine) {
        return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> engine.getDelegatedTask().run();
            case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrap(engine, in);
            default -> {}
        }
    }

    private void unwrap(SSLEngine engine, ByteBuffer in) throws SSLException {
        in.flip();
        engine.unwrap(in, received);
        in.compact();
    }

    /** Sends a text from the client to the server after the handshake, and returns what arrives. */
    public String send(String text) throws SSLException {
        client.wrap(ByteBuffer.wrap(text.getBytes(UTF_8)), toServer);
        received.clear();
        unwrap(server, toServer);
        return UTF_8.decode(received.flip()).toString();
    }

    /** The subject of the certificate that the server showed. */
    public String serverName() throws SSLPeerUnverifiedException {
        return name(client);
    }

    /** The subject of the certificate that the client showed. */
    public String clientName() throws SSLPeerUnverifiedException {
        return name(server);
    }

    private static String name(SSLEngine engine) throws SSLPeerUnverifiedException {
        X509Certificate shown = (X509Certificate) engine.getSession().getPeerCertificates()[0];
        return shown.getSubjectX500Principal().getName();
    }
}
