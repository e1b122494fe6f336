package io.cordwood.search;

import io.cordwood.catalog.access.Callers;
import io.cordwood.catalog.io.StoreRequests;
import io.cordwood.http.HttpServers;
import io.cordwood.http.PathHandler;
import io.cordwood.http.Reply;
import io.cordwood.http.SiteGuard;
import io.cordwood.identity.CertificateMetrics;
import io.cordwood.identity.Loopback;
import io.cordwood.options.Program;
import io.cordwood.query.QueryEngine;
import io.cordwood.query.search.TableReads;
import io.cordwood.search.alert.AlertEvaluator;
import io.cordwood.search.alert.AlertMetrics;
import io.cordwood.search.api.ApiHandler;
import io.cordwood.search.api.ApiMetrics;
import io.cordwood.search.api.Questions;
import io.cordwood.search.api.TableAccess;
import io.cordwood.search.http.Admission;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.ErrorBody;
import io.cordwood.search.http.Failures;
import io.cordwood.search.http.QuestionBodies;
import io.cordwood.search.http.Turns;
import io.cordwood.search.loki.LokiHandler;
import io.cordwood.search.mcp.McpHandler;
import io.cordwood.search.page.PageHandler;
import io.cordwood.search.sql.ReadOnlySql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The search service: answers questions about tenants' logs over HTTP. Thread-safe.
 *
 * <p>It has no state but caches, so any number of them may run, and each answers every question.
 */
public final class SearchServer implements AutoCloseable {
    private static final int MAX_WAITING = 200;
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final int AES_KEY_BYTES = 16;
    private static final int MAX_BODIES_OF_USER = 16;

    private final QueryEngine engine;
    private final ThreadPoolExecutor readers;
    private final Optional<ReadOnlySql> sql;
    private final Optional<AlertEvaluator> alerts;
    private final HttpServers servers;

    private SearchServer(
            QueryEngine engine,
            ThreadPoolExecutor readers,
            Optional<ReadOnlySql> sql,
            Optional<AlertEvaluator> alerts,
            HttpServers servers) {
        this.engine = engine;
        this.readers = readers;
        this.sql = sql;
        this.alerts = alerts;
        this.servers = servers;
    }

    /**
     * Starts the service and returns once it serves requests. It connects to the catalog service, Kafka and Redis at
     * first use.
     *
     * @throws IOException if it cannot listen on an address, or read a file
     */
    public static SearchServer start(SearchServerOptions options) throws IOException {
        Optional<SecretKey> cursorKey = cursorKey(options);
        QueryEngine engine = new QueryEngine(options.query());
        ThreadPoolExecutor readers = new ThreadPoolExecutor(
                0,
                Runtime.getRuntime().availableProcessors() * 2,
                1,
                TimeUnit.MINUTES,
                new SynchronousQueue<>(),
                Thread.ofPlatform().name("search-reader-", 0).daemon().factory());
        Turns turns = turns(options);
        ApiMetrics metrics = new ApiMetrics(turns);
        AlertMetrics alertMetrics = new AlertMetrics();
        TableAccess access = new TableAccess(
                engine,
                engine.tableReads(TableReads.ALL_OPTIMISATIONS, TableReads.BOTH_TIERS, readers),
                options.isClosed()
                        ? Callers.withTokens(engine.catalog()::tokenRules, engine.catalog()::accessRules)
                        : Callers.open(),
                turns,
                options.limits());
        Questions questions = new Questions(access, cursorKey, metrics);
        Handler health = new PathHandler("/health", () -> Reply.json("{\"status\":\"up\"}"));
        Handler prometheus = new PathHandler(
                "/metrics",
                () -> Reply.text(metrics.toPrometheus()
                        + alertMetrics.toPrometheus()
                        + StoreRequests.ofProcess().toPrometheus()
                        + CertificateMetrics.toPrometheus(options.http().tlsKeystore())));
        Optional<ReadOnlySql> sql = options.trino().map(ReadOnlySql::new);
        // All callers of an open service are one user
        QuestionBodies bodies = new QuestionBodies(options.isClosed() ? MAX_BODIES_OF_USER : Integer.MAX_VALUE);
        List<Handler> service = new ArrayList<>(List.of(
                new ApiHandler(questions, bodies, metrics),
                new LokiHandler(access, bodies, metrics),
                new McpHandler(questions, sql, bodies, metrics),
                new PageHandler(),
                health));
        if (!options.isClosed()) {
            service.add(prometheus);
        }
        service.add(new NotFound());
        HttpServers servers = HttpServers.start(
                options.http(),
                guarded(options, new Handler.Sequence(service)),
                new Handler.Sequence(health, prometheus, new NotFound()));
        return new SearchServer(engine, readers, sql, alerts(options, access, alertMetrics), servers);
    }

    private static Optional<AlertEvaluator> alerts(
            SearchServerOptions options, TableAccess access, AlertMetrics metrics) {
        if (options.alerts().alertmanagers().isEmpty()) {
            return Optional.empty();
        }
        URI redis = options.query()
                .hotTier()
                .redis()
                .orElseThrow(() -> new IllegalArgumentException("Alerts need Redis, for the lease of their evaluator"));
        return Optional.of(AlertEvaluator.start(options.alerts(), redis, access, metrics));
    }

    private static Turns turns(SearchServerOptions options) {
        // All callers of an open service are one user
        int maxOfUser = options.isClosed() ? options.maxQuestionsOfUser() : Integer.MAX_VALUE;
        return new Turns(
                new Admission(
                        new Admission.Bounds(Integer.MAX_VALUE, maxOfUser, Long.MAX_VALUE), MAX_WAITING, MAX_WAIT),
                new Admission(
                        new Admission.Bounds(
                                options.maxQuestions(), options.maxQuestionsOfTenant(), options.questionMemoryBytes()),
                        MAX_WAITING,
                        MAX_WAIT));
    }

    private static Handler guarded(SearchServerOptions options, Handler service) {
        return options.isClosed() || !Loopback.is(options.http().host())
                ? service
                : new SiteGuard(service, options.allowedHosts(), refusal -> ErrorBody.reply(Failures.of(refusal)));
    }

    /** A key of the secret in the file, whatever its length. */
    private static Optional<SecretKey> cursorKey(SearchServerOptions options) throws IOException {
        if (options.cursorKey().isEmpty()) {
            return Optional.empty();
        }
        try {
            byte[] secret = Files.readAllBytes(options.cursorKey().get());
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(secret);
            return Optional.of(new SecretKeySpec(hash, 0, AES_KEY_BYTES, "AES"));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java has no SHA-256", e);
        }
    }

    /** Answers all that no other handler knows. */
    private static final class NotFound extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            ApiException error = new ApiException(404, "not_found", "There is no such path");
            ErrorBody.reply(error).write(request, response, callback);
            return true;
        }
    }

    /** Address of the service. */
    public URI uri() {
        return servers.uri();
    }

    /** Address of the metrics, if they have a port of their own. */
    public Optional<URI> metricsUri() {
        return servers.metricsUri();
    }

    /** Stops after the requests under way. */
    @Override
    public void close() throws IOException {
        servers.close();
        alerts.ifPresent(AlertEvaluator::close);
        sql.ifPresent(ReadOnlySql::close);
        readers.shutdownNow();
        engine.close();
    }

    /** Runs the service until the process is asked to stop. Fails with one line. */
    public static void main(String[] arguments) {
        System.exit(Program.run("search", new Run(), Set.of(IOException.class, RuntimeException.class), arguments));
    }

    @Command(
            name = "SearchServer",
            mixinStandardHelpOptions = true,
            description = "Answers questions about tenants' logs over HTTP.")
    private static final class Run implements Callable<Integer> {
        @Mixin
        private SearchServerFlags flags;

        @Override
        public Integer call() throws IOException, InterruptedException {
            SearchServer service = start(flags.options());
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> {
                                try {
                                    service.close();
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            },
                            "search-shutdown"));
            System.out.println("search: listening on " + service.uri());
            service.servers.join();
            return 0;
        }
    }
}
