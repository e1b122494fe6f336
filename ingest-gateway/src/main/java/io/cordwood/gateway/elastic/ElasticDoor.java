package io.cordwood.gateway.elastic;

import io.cordwood.gateway.door.Door;
import io.cordwood.gateway.door.Intake;
import io.cordwood.gateway.door.Visit;
import io.cordwood.gateway.elastic.Routes.Route;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.http.Reply;
import io.cordwood.record.UndecodableRecordException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The requests by which shippers write to Elasticsearch, {@code /_bulk} and {@code /INDEX/_doc}, and those that they
 * send before. Thread-safe.
 */
public final class ElasticDoor implements Door {
    private static final String BULK = "_bulk";
    /** The gateway's own paths, which no index can be named after. */
    private static final Set<String> OWN_PATHS = Set.of("health", "metrics");

    private static final int ID_SEGMENT = 2;

    private final ClusterAnswers cluster = new ClusterAnswers();

    @Override
    public String name() {
        return "elasticsearch";
    }

    @Override
    public boolean isAt(String path) {
        if (path.equals("/") || path.startsWith("/_")) {
            return true;
        }
        int second = path.indexOf('/', 1);
        return second < 0 ? !OWN_PATHS.contains(path.substring(1)) : path.startsWith("_", second + 1);
    }

    @Override
    public Reply answer(Visit visit) throws IOException, InterruptedException {
        List<String> segments = withoutLastSlash(visit.segments());
        if (segments.getLast().equals(BULK) && segments.size() <= 2) {
            visit.requireMethod("POST", "PUT");
            return bulk(visit, segments.size() == 2 ? Optional.of(segments.getFirst()) : Optional.empty());
        }
        if (isDocument(segments)) {
            visit.requireMethod("POST", "PUT");
            return document(visit, segments);
        }
        Intake.Delivery delivery = visit.begin();
        // Templates and policies, which say nothing here
        visit.body(delivery);
        return cluster.answer(visit.method(), segments, visit.header("Host").orElse("localhost"))
                .orElseThrow(() -> new RefusedException(
                        Reason.NOT_FOUND,
                        "no handler found for uri [/%s] and method [%s]: the gateway takes documents, queries go to the"
                                        .formatted(String.join("/", segments), visit.method())
                                + " search service"));
    }

    /** Fluent Bit writes {@code /_bulk/}. */
    private static List<String> withoutLastSlash(List<String> segments) {
        return segments.size() > 1 && segments.getLast().isEmpty()
                ? segments.subList(0, segments.size() - 1)
                : segments;
    }

    private static boolean isDocument(List<String> segments) {
        return switch (segments.size()) {
            case 2 -> segments.get(1).equals("_doc");
            case 3 -> Set.of("_doc", "_create").contains(segments.get(1));
            default -> false;
        };
    }

    private static Reply bulk(Visit visit, Optional<String> index) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        List<BulkItem> items = ship(visit, index);
        FilterPath filter = new FilterPath(visit.parameter("filter_path"));
        long took = (System.nanoTime() - begun) / 1_000_000;
        return ElasticReplies.of(200, json -> new BulkAnswer(json, filter).write(items, took));
    }

    /** Ships all. The body and the rows are garbage when the answer is written. */
    private static List<BulkItem> ship(Visit visit, Optional<String> index) throws IOException, InterruptedException {
        Intake.Delivery delivery = visit.begin();
        BulkBody bulk = new BulkBody(
                visit.body(delivery), index, new Routes(visit::hasStream, delivery::requireStream), delivery.memory());
        List<BulkItem> items = bulk.read();
        delivery.ship(
                bulk.payloads(),
                items.stream().filter(item -> item.error().isPresent()).count());
        return items;
    }

    private static Reply document(Visit visit, List<String> segments) throws IOException, InterruptedException {
        Intake.Delivery delivery = visit.begin();
        byte[] body = visit.body(delivery);
        String index = segments.getFirst();
        Optional<String> id = segments.size() > ID_SEGMENT ? Optional.of(segments.get(ID_SEGMENT)) : Optional.empty();
        Route route = new Routes(visit::hasStream, delivery::requireStream).of(index);
        if (route.refusal().isPresent()) {
            return ElasticReplies.error(route.refusal().get());
        }
        Optional<ItemError> wrong = BulkBody.idError(id);
        if (wrong.isPresent()) {
            return ElasticReplies.error(wrong.get());
        }
        LineBatches rows = new LineBatches(delivery.memory());
        try {
            new Documents().add(body, 0, body.length, BulkBody.withId(route.additions(), id), rows);
        } catch (UndecodableRecordException e) {
            return ElasticReplies.error(ItemError.of(e));
        }
        delivery.ship(Map.of(route.stream(), rows.finish()), 0);
        FilterPath filter = new FilterPath(visit.parameter("filter_path"));
        return ElasticReplies.of(
                201, json -> new BulkAnswer(json, filter).writeOne(new BulkItem("index", index, id, Optional.empty())));
    }

    @Override
    public Reply refuse(RefusedException refusal, Visit visit) {
        return ElasticReplies.error(ItemError.of(refusal));
    }
}
