package io.cordwood.search.loki;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.search.Tail;
import io.cordwood.query.search.TailRows;
import io.cordwood.search.api.ApiMetrics;
import io.cordwood.search.api.OpenTails;
import io.cordwood.search.api.ReadAccess;
import io.cordwood.search.api.TableAccess;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Turns;
import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.LogQuery;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.Configuration;
import org.eclipse.jetty.websocket.core.WebSocketComponents;
import org.eclipse.jetty.websocket.core.exception.WebSocketException;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;

/** {@code tail}: lines as they arrive, by WebSocket; with {@code start} also the newest ones before. Thread-safe. */
final class TailUpgrade {
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final long DEFAULT_SINCE = Duration.ofHours(1).toNanos();

    private final TableAccess access;
    private final ApiMetrics metrics;
    private final WebSocketMappings sockets;

    TailUpgrade(TableAccess access, ApiMetrics metrics, WebSocketComponents components) {
        this.access = access;
        this.metrics = metrics;
        this.sockets = new WebSocketMappings(components);
    }

    /** What a tail is about. */
    private record Following(LokiQuestion question, LogQuery query, LokiTable table, ReadAccess mayRead) {}

    /** Begins a tail. @throws ApiException if there can be none */
    void open(LokiQuestion question, Request request, Response response, Callback callback) {
        LogQuery query = LogQl.parseLogQuery(question.parameters().query());
        access.openTails().requireRoom(question.caller(), question.tenant());
        LokiTable table = question.table(query.selector())
                .orElseThrow(() -> ApiException.invalid("the selector selects no stream"));
        Optional<String> authorization = TableAccess.authorization(request);
        BooleanSupplier mayStill = () -> access.caller(authorization)
                .reads(question.tenant(), table.labels().name());
        Following following = new Following(question, query, table, new ReadAccess(mayStill));
        WebSocketNegotiator negotiator = (upgrade, answer, done) -> new TailSocket(to -> follow(following, to));
        try {
            boolean upgraded = sockets.upgrade(
                    negotiator, request, response, callback, new Configuration.ConfigurationCustomizer());
            if (!upgraded) {
                throw new ApiException(400, "no_websocket", "A tail needs a WebSocket");
            }
        } catch (WebSocketException e) {
            throw new ApiException(400, "no_websocket", "The request for a WebSocket is malformed");
        }
    }

    private void follow(Following following, TailSocket socket) throws IOException, InterruptedException {
        LokiTable table = following.table();
        TailMessages messages = new TailMessages(
                following.query(),
                table.labels().name(),
                following.question().parameters().categorizes());
        try (OpenTails.Slot _ = access.openTails()
                        .enter(
                                following.question().caller(),
                                following.question().tenant());
                Tail tail = access.liveTails()
                        .follow(
                                following.question().tenant(),
                                table.labels().name(),
                                Pushdown.ofArriving(following.query(), table.labels())
                                        .filter(TimeRange.ALL))) {
            metrics.tails(access.openTails().count());
            if (following.question().parameters().text("start").isPresent()) {
                socket.send(messages.first(before(following)));
            }
            while (following.mayRead().check() != ReadAccess.State.DENIED) {
                List<TailRows> received = tail.take(WAIT);
                Optional<String> message = messages.next(received);
                if (message.isPresent()) {
                    socket.send(message.get());
                } else {
                    socket.ping();
                }
            }
            throw new ApiException(
                    403, "forbidden", "The token has ended, the grant was revoked, or it cannot be checked");
        } finally {
            metrics.tails(access.openTails().count());
        }
    }

    /** The newest lines before the tail, oldest first. */
    private List<LineSearch.FoundLine> before(Following following) throws InterruptedException {
        LokiQuestion question = following.question();
        try (Turns.Turn _ = question.enter(access.memory().query())) {
            return LineSearch.find(
                            following.table(),
                            following.query(),
                            LokiTimes.within(question.parameters().bounds(DEFAULT_SINCE)),
                            true,
                            question.parameters().limit())
                    .reversed();
        }
    }
}
