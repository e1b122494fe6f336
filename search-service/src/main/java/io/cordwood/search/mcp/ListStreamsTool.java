package io.cordwood.search.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.search.api.Arrival;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code list_streams}: what the caller may read. */
final class ListStreamsTool implements AgentTool {
    private final Streams streams;

    ListStreamsTool(Streams streams) {
        this.streams = streams;
    }

    @Override
    public String name() {
        return "list_streams";
    }

    @Override
    public String title() {
        return "List log streams";
    }

    @Override
    public String description() {
        return """
                Lists the tenants whose logs you may read, and the streams of each. Call it first: the other tools \
                take a tenant and a stream.""";
    }

    @Override
    public InputSchema schema() {
        return TokenBudget.describe(InputSchema.none());
    }

    @Override
    public String call(Arrival arrival, RequestFields arguments) throws IOException, InterruptedException {
        TokenBudget budget = TokenBudget.of(arguments);
        arguments.requireNoOthers();
        JsonNode tenants = streams.tenants(arrival).path("tenants");
        int shown = 0;
        for (JsonNode tenant : tenants) {
            List<String> names = new ArrayList<>();
            tenant.path("streams").forEach(stream -> names.add(stream.textValue()));
            if (!budget.add("%s: %s".formatted(tenant.path("tenant").textValue(), String.join(", ", names)))) {
                break;
            }
            shown++;
        }
        return budget.closedBy("-- %s (tenant: streams).%s"
                .formatted(
                        shown == tenants.size()
                                ? "%,d tenants".formatted(shown)
                                : "%,d of %,d tenants".formatted(shown, tenants.size()),
                        budget.note(shown < tenants.size())));
    }
}
