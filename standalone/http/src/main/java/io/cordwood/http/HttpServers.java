package io.cordwood.http;

import io.cordwood.identity.PemFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/** A service's port, and the one for its metrics. Thread-safe. */
public final class HttpServers implements AutoCloseable {
    /** At once. Those that wait for slow senders take a virtual thread each, and must not keep others waiting. */
    private static final int MAX_REQUESTS = 20_000;

    private final Server server;
    private final Optional<Server> metrics;

    private HttpServers(Server server, Optional<Server> metrics) {
        this.server = server;
        this.metrics = metrics;
    }

    /**
     * Starts to serve. Handlers must match paths undecoded, as any character may be escaped in them.
     *
     * @param metrics handler of the port for metrics, if there is one
     * @throws IOException if it cannot listen on an address, or the TLS file cannot be read
     */
    public static HttpServers start(HttpSettings settings, Handler service, Handler metrics) throws IOException {
        Server server = server(settings, settings.port(), service, sslContextFactory(settings));
        HttpServers servers = new HttpServers(
                server,
                settings.metricsPort().isPresent()
                        ? Optional.of(server(settings, settings.metricsPort().getAsInt(), metrics, Optional.empty()))
                        : Optional.empty());
        try {
            start(server, settings.host(), settings.port());
            if (servers.metrics.isPresent()) {
                start(
                        servers.metrics.get(),
                        settings.host(),
                        settings.metricsPort().getAsInt());
            }
            return servers;
        } catch (IOException e) {
            servers.close();
            throw e;
        }
    }

    private static void start(Server server, String host, int port) throws IOException {
        try {
            server.start();
        } catch (Exception e) {
            throw new IOException("Cannot listen on %s:%d: %s".formatted(host, port, e.getMessage()), e);
        }
    }

    private static Optional<SslContextFactory.Server> sslContextFactory(HttpSettings settings) throws IOException {
        if (settings.tlsKeystore().isEmpty()) {
            return Optional.empty();
        }
        SslContextFactory.Server factory = new SslContextFactory.Server();
        factory.setSslContext(PemFiles.serving(settings.tlsKeystore().get()));
        return Optional.of(factory);
    }

    private static Server server(
            HttpSettings settings, int port, Handler handler, Optional<SslContextFactory.Server> tls) {
        Server server = new Server(new VirtualThreadPool(MAX_REQUESTS));
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        // Handlers match paths undecoded, so no escaped character is ambiguous to them.
        http.setUriCompliance(UriCompliance.UNSAFE);
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        ServerConnector connector;
        if (tls.isPresent()) {
            // Clients check the name; here it may be an address, which SNI does not have
            http.addCustomizer(new SecureRequestCustomizer(false));
            connector = new WatchedConnector(
                    server, new SslConnectionFactory(tls.get(), HttpVersion.HTTP_1_1.asString()), plain);
        } else {
            connector = new WatchedConnector(server, plain);
        }
        connector.setHost(settings.host());
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(handler);
        return server;
    }

    /** Makes connections that tell when their clients close them. */
    private static final class WatchedConnector extends ServerConnector {
        WatchedConnector(Server server, ConnectionFactory... protocols) {
            super(server, 1, 1, protocols);
        }

        @Override
        protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
            SocketChannelEndPoint endPoint = new WatchedEndPoint(channel, selector, key, getScheduler(), getExecutor());
            endPoint.setIdleTimeout(getIdleTimeout());
            return endPoint;
        }
    }

    /** Address of the service. */
    public URI uri() {
        return uri(server);
    }

    /** Address of the metrics, if they have a port. */
    public Optional<URI> metricsUri() {
        return metrics.map(HttpServers::uri);
    }

    private static URI uri(Server server) {
        ServerConnector connector = (ServerConnector) server.getConnectors()[0];
        boolean tls = connector.getConnectionFactory(SslConnectionFactory.class) != null;
        return URI.create(
                "%s://%s:%d".formatted(tls ? "https" : "http", connector.getHost(), connector.getLocalPort()));
    }

    /** Waits until the service is stopped. */
    public void join() throws InterruptedException {
        server.join();
    }

    /** Stops after the requests under way. */
    @Override
    public void close() {
        try {
            server.stop();
            if (metrics.isPresent()) {
                metrics.get().stop();
            }
        } catch (Exception e) {
            throw new IllegalStateException("Cannot stop the HTTP server", e);
        }
    }
}
