package io.cordwood.gateway.elastic;

import io.cordwood.gateway.elastic.ActionLine.Action;
import io.cordwood.gateway.elastic.Additions.Addition;
import io.cordwood.gateway.elastic.Routes.Route;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.gateway.send.Payload;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.Lines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Takes documents out of the body of a bulk request. Not thread-safe. */
final class BulkBody {
    /** Ids of documents are in this column: names that begin with an underscore are reserved. */
    static final String ID_COLUMN = "document_id";

    private static final ItemError APPENDS_ONLY = new ItemError(
            400, "illegal_argument_exception", "Documents are only appended: use the actions [create] and [index]");

    /** What a request needs besides its body, the answer included: so many times the body, and so much more. */
    private static final long MAX_GROWTH = 4;

    private static final long GROWTH_ALLOWED = 2 << 20;
    /** Of an item of the answer, its index aside. */
    private static final int ITEM_BYTES = 200;

    private final byte[] body;
    private final Optional<String> defaultIndex;
    private final Routes routes;
    private final ActionLine actions = new ActionLine();
    private final Documents documents = new Documents();
    private final Map<String, LineBatches> rows = new TreeMap<>();
    private final List<BulkItem> items = new ArrayList<>();
    private int line;
    private long growth;

    private int actionFrom;
    private int actionTo;
    private Optional<Target> previous = Optional.empty();

    /** Where the documents of an action go, and the item that tells of one that was taken. */
    private record Target(Action action, Route route, LineBatches rows, Additions additions, BulkItem taken) {
        /** Bytes that a document needs besides its own, in its row and in the answer. */
        int growth() {
            return ITEM_BYTES + taken.index().length() + additions.bytes();
        }

        BulkItem refused(ItemError error) {
            return new BulkItem(taken.action(), taken.index(), taken.id(), Optional.of(error));
        }
    }

    /** @param defaultIndex the index of actions that name none */
    BulkBody(byte[] body, Optional<String> defaultIndex, Routes routes) {
        this.body = body;
        this.defaultIndex = defaultIndex;
        this.routes = routes;
    }

    /**
     * Reads all actions with their documents.
     *
     * @return what became of each action, once Kafka has acknowledged the rows
     * @throws RefusedException if the body has no such form; none of it may be taken then
     */
    List<BulkItem> read() {
        int from = 0;
        while (from < body.length) {
            int end = endOfLine(from);
            if (!Lines.isBlank(body, from, end)) {
                Target target = target(from, end);
                grow(target.growth());
                if (target.action().hasDocument()) {
                    from = end + 1;
                    if (from >= body.length) {
                        throw RefusedException.malformed(
                                "The bulk request ends after action/metadata line [%d], without its document"
                                        .formatted(line));
                    }
                    end = endOfLine(from);
                }
                items.add(take(target, from, end));
            }
            from = end + 1;
        }
        if (items.isEmpty()) {
            throw RefusedException.malformed("Validation Failed: 1: no requests added;");
        }
        return items;
    }

    private void grow(long more) {
        growth += more;
        if (growth > MAX_GROWTH * body.length + GROWTH_ALLOWED) {
            throw new RefusedException(
                    Reason.TOO_LARGE, "The request has too many documents for its size: send them in parts");
        }
    }

    /** The rows that were taken, by stream. */
    Map<String, List<Payload>> payloads() {
        return LineBatches.finish(rows);
    }

    private int endOfLine(int from) {
        line++;
        int end = Lines.end(body, from, body.length);
        if (end == body.length) {
            throw RefusedException.malformed("The bulk request must be terminated by a newline [\\n]");
        }
        return end;
    }

    private Target target(int from, int to) {
        // Most shippers send the same line before every document
        if (previous.isPresent() && Arrays.equals(body, from, to, body, actionFrom, actionTo)) {
            return previous.get();
        }
        Action action = actions.read(body, from, to, line);
        String index = action.index()
                .or(() -> defaultIndex)
                .orElseThrow(() -> RefusedException.malformed("Validation Failed: 1: index is missing;"));
        Route route = routes.of(index);
        Target target = new Target(
                action,
                route,
                rows.computeIfAbsent(route.stream(), any -> new LineBatches()),
                withId(route.additions(), action.id()),
                new BulkItem(action.name(), index, action.id(), Optional.empty()));
        actionFrom = from;
        actionTo = to;
        previous = Optional.of(target);
        return target;
    }

    static Additions withId(Additions additions, Optional<String> id) {
        if (id.isEmpty()) {
            return additions;
        }
        List<Addition> members = new ArrayList<>(additions.members());
        members.add(Addition.of(ID_COLUMN, id.get()));
        return new Additions(members);
    }

    private BulkItem take(Target target, int from, int to) {
        if (target.action().name().equals("update") || target.action().name().equals("delete")) {
            return target.refused(APPENDS_ONLY);
        }
        if (target.route().refusal().isPresent()) {
            return target.refused(target.route().refusal().get());
        }
        try {
            documents.add(body, from, to, target.additions(), target.rows());
            return target.taken();
        } catch (UndecodableRecordException e) {
            return target.refused(ItemError.of(e));
        } catch (RefusedException e) {
            return target.refused(ItemError.of(e));
        }
    }
}
