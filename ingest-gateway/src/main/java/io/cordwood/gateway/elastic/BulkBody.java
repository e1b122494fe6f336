package io.cordwood.gateway.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.gateway.elastic.ActionLine.Action;
import io.cordwood.gateway.elastic.Additions.Addition;
import io.cordwood.gateway.elastic.Routes.Route;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.refusal.RowTooLargeException;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.gateway.send.Memory;
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
    /** An answer is copied while it is written. */
    private static final int ANSWER_COPIES = 3;
    /** Memory of an action, beside the bytes of its names. */
    private static final int TARGET_BYTES = 250;
    /** Memory of an item that is an error. */
    private static final int ERROR_BYTES = 300;
    /** As Elasticsearch has it. */
    private static final int MAX_ID_BYTES = 512;

    private final byte[] body;
    private final Optional<String> defaultIndex;
    private final Routes routes;
    private final Memory memory;
    private final ActionLine actions = new ActionLine();
    private final Documents documents = new Documents();
    private final Map<String, LineBatches> rows = new TreeMap<>();
    private final List<BulkItem> items = new ArrayList<>();
    private int line;
    private long growth;
    private long answerBytes;

    private int actionFrom;
    private int actionTo;
    private Optional<Target> previous = Optional.empty();

    /** Where the documents of an action go, and the item that tells of one that was taken. */
    private record Target(Action action, Route route, LineBatches rows, Additions additions, BulkItem taken) {
        /** Bytes of the answer for a document. */
        int answerBytes() {
            return ITEM_BYTES
                    + taken.index().length()
                    + taken.id().map(String::length).orElse(0);
        }

        BulkItem refused(ItemError error) {
            return new BulkItem(taken.action(), taken.index(), taken.id(), Optional.of(error));
        }
    }

    /**
     * @param defaultIndex the index of actions that name none
     * @param memory counts the rows and the answer
     */
    BulkBody(byte[] body, Optional<String> defaultIndex, Routes routes, Memory memory) {
        this.body = body;
        this.defaultIndex = defaultIndex;
        this.routes = routes;
        this.memory = memory;
    }

    /**
     * Reads all actions with their documents.
     *
     * <p>What is counted afterwards is enough for the answer, if the body and the rows are no longer needed then.
     *
     * @return what became of each action, once Kafka has acknowledged the rows
     * @throws RefusedException if the body has no such form, or the gateway holds too much; none of it may be taken
     *     then
     */
    List<BulkItem> read() {
        int from = 0;
        while (from < body.length) {
            int end = endOfLine(from);
            if (!Lines.isBlank(body, from, end)) {
                Target target = target(from, end);
                grow(target);
                if (target.action().hasDocument()) {
                    from = end + 1;
                    if (from >= body.length) {
                        throw RefusedException.malformed(
                                "The bulk request ends after action/metadata line [%d], without its document"
                                        .formatted(line));
                    }
                    end = endOfLine(from);
                }
                BulkItem item = take(target, from, end);
                if (item.error().isPresent()) {
                    memory.grow(ERROR_BYTES);
                }
                items.add(item);
            }
            from = end + 1;
        }
        if (items.isEmpty()) {
            throw RefusedException.malformed("Validation Failed: 1: no requests added;");
        }
        memory.grow(Math.max(0, ANSWER_COPIES * answerBytes - 2L * body.length));
        return items;
    }

    private void grow(Target target) {
        growth += target.answerBytes() + target.additions().bytes();
        if (growth > MAX_GROWTH * body.length + GROWTH_ALLOWED) {
            throw new RefusedException(
                    Reason.TOO_LARGE, "The request has too many documents for its size: send them in parts");
        }
        answerBytes += target.answerBytes();
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
        memory.grow(TARGET_BYTES + 2L * (to - from));
        Target target = new Target(
                action,
                route,
                rows.computeIfAbsent(route.stream(), any -> new LineBatches(memory)),
                withId(route.additions(), action.id()),
                new BulkItem(action.name(), index, action.id(), Optional.empty()));
        actionFrom = from;
        actionTo = to;
        previous = Optional.of(target);
        return target;
    }

    /** What is wrong with the id of a document, if anything is. */
    static Optional<ItemError> idError(Optional<String> id) {
        int bytes = id.map(text -> text.getBytes(UTF_8).length).orElse(0);
        return bytes <= MAX_ID_BYTES
                ? Optional.empty()
                : Optional.of(new ItemError(
                        400,
                        "illegal_argument_exception",
                        "id is too long, must be no longer than %d bytes but was: %d".formatted(MAX_ID_BYTES, bytes)));
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
        Optional<ItemError> wrong = idError(target.taken().id());
        if (wrong.isPresent()) {
            return target.refused(wrong.get());
        }
        if (target.route().refusal().isPresent()) {
            return target.refused(target.route().refusal().get());
        }
        try {
            documents.add(body, from, to, target.additions(), target.rows());
            return target.taken();
        } catch (UndecodableRecordException e) {
            return target.refused(ItemError.of(e));
        } catch (RowTooLargeException e) {
            return target.refused(ItemError.of(e));
        }
    }
}
