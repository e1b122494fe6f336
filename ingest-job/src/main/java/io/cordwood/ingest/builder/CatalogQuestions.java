package io.cordwood.ingest.builder;

import io.cordwood.catalog.protocol.TableReply;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.ingest.storage.TableStorage;
import io.cordwood.record.assemble.RowAssembler;
import io.cordwood.record.buffer.CorruptChunkException;
import io.cordwood.record.buffer.SeenMembers;
import io.cordwood.record.buffer.SettledMembers;
import io.cordwood.record.policy.DecodingPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Requests from the catalog the tables and columns that rows of several tenants need. It makes the same requests as a
 * flush of the rows. Thread-safe. Calls block.
 */
final class CatalogQuestions {
    private final TableRequests requests;
    private final DecodingPolicy policy;
    private final DeclaredColumns columns;

    CatalogQuestions(TableStorage storage, BuildOptions options) {
        this.requests = new TableRequests(storage);
        this.policy = options.policy();
        this.columns = options.columns();
    }

    /**
     * The result of an order.
     *
     * @param settled the members that need no further request; empty if the request failed
     * @param failure the reason of the failure
     */
    record Outcome(DeclarationOrder order, Optional<SettledMembers> settled, String failure) {}

    /** The results of all orders. Failures are results, not exceptions. */
    List<Outcome> ask(List<DeclarationOrder> orders) {
        List<Outcome> outcomes = new ArrayList<>();
        Map<String, List<Question>> byStream = new HashMap<>();
        for (DeclarationOrder order : orders) {
            try {
                byStream.computeIfAbsent(order.partition().stream(), any -> new ArrayList<>())
                        .add(new Question(order));
            } catch (CorruptChunkException e) {
                outcomes.add(new Outcome(order, Optional.empty(), e.toString()));
            }
        }
        byStream.forEach(this::ask);
        byStream.values().forEach(questions -> questions.forEach(question -> outcomes.add(question.outcome())));
        return outcomes;
    }

    private void ask(String stream, List<Question> questions) {
        List<Question> open = questions.stream().filter(Question::isOpen).toList();
        while (!open.isEmpty()) {
            List<TableReply> replies = requests.send(
                    stream, open.stream().map(question -> question.needs).toList());
            for (int i = 0; i < replies.size(); i++) {
                open.get(i).answered(replies.get(i));
            }
            open = open.stream().filter(Question::isOpen).toList();
        }
    }

    /** One order and the state of its requests. */
    private final class Question {
        private final DeclarationOrder order;
        private final SeenMembers seen;
        private final RowAssembler assembler;
        private final TableNeeds needs;
        private String failure = "";

        Question(DeclarationOrder order) {
            this.order = order;
            String stream = order.partition().stream();
            this.assembler = new RowAssembler(policy, stream);
            DeclarationOrder.Members members = order.members();
            this.seen = members.seen();
            List<ColumnDefinition> declared = columns.definitions(stream, policy.textColumns(stream));
            this.needs = new TableNeeds(
                    order.tenant().tenantId(),
                    order.partition().id(),
                    declared,
                    (table, fromOffset) -> assembler.missingColumns(table, seen, fromOffset),
                    order.from(),
                    members.end());
        }

        /** If all members are settled there is nothing to request, unless the table itself was never requested. */
        boolean isOpen() {
            boolean isNews = !seen.isEmpty() || seen.settled() == SettledMembers.NONE;
            return isNews && failure.isEmpty() && !needs.areMet();
        }

        void answered(TableReply reply) {
            failure = reply.failure();
            reply.ensured().ifPresent(needs::answered);
        }

        Outcome outcome() {
            return failure.isEmpty()
                    ? new Outcome(
                            order,
                            Optional.of(needs.table()
                                    .map(table -> assembler.settled(table.schema(), seen))
                                    .orElse(seen.settled())),
                            "")
                    : new Outcome(order, Optional.empty(), failure);
        }
    }
}
