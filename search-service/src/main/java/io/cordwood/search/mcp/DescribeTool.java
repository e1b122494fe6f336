package io.cordwood.search.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.search.api.Arrival;
import io.cordwood.search.api.Target;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code describe}: the columns of a stream, and the times of its rows. */
final class DescribeTool implements AgentTool {
    private final Streams streams;

    DescribeTool(Streams streams) {
        this.streams = streams;
    }

    @Override
    public String name() {
        return "describe";
    }

    @Override
    public String title() {
        return "Describe a log stream";
    }

    @Override
    public String description() {
        return """
                Columns of a stream with their types and how text is searched (text: by words; keyword: by the whole \
                value), and the times of its oldest and newest rows. Fields of log lines that are no columns are in \
                the map "attributes", searched as attributes.NAME:VALUE. Call it before you search a stream you do \
                not know; top_values shows what a column holds.""";
    }

    @Override
    public InputSchema schema() {
        return TokenBudget.describe(Streams.schema());
    }

    @Override
    public String call(Arrival arrival, RequestFields arguments) throws IOException, InterruptedException {
        Target target = Streams.target(arguments, "columns");
        TokenBudget budget = TokenBudget.of(arguments);
        JsonNode columns = streams.answer(arrival, target, arguments.rest()).path("columns");
        Optional<String> oldest = time(arrival, target, "asc");
        Optional<String> newest = time(arrival, target, "desc");
        budget.add(
                oldest.isPresent() && newest.isPresent()
                        ? "%s has rows from %s to %s".formatted(Streams.name(target), oldest.get(), newest.get())
                        : Streams.name(target) + " has no rows");
        boolean isCut = false;
        for (JsonNode column : columns) {
            isCut = !budget.add("%s %s%s"
                    .formatted(
                            column.path("name").textValue(),
                            column.path("type").textValue(),
                            column.has("index") ? " " + column.path("index").textValue() : ""));
            if (isCut) {
                break;
            }
        }
        return budget.closedBy(
                "-- %,d columns (name, type, how text is searched).%s".formatted(columns.size(), budget.note(isCut)));
    }

    /** The time of the first row in an order. */
    private Optional<String> time(Arrival arrival, Target target, String order)
            throws IOException, InterruptedException {
        RequestFields first = RequestFields.of(Map.of("columns", List.of("ts"), "order", order, "limit", 1));
        return Optional.ofNullable(
                streams.answer(arrival, new Target(target.tenant(), target.stream(), "search"), first)
                        .path("ts")
                        .textValue());
    }
}
