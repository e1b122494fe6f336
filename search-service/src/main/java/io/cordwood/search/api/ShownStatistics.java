package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.query.usage.ShownCounts;
import java.io.IOException;
import java.util.Map;

/** Writes what a question read and pruned. Stateless. */
final class ShownStatistics {
    private ShownStatistics() {}

    /** Writes the field {@code stats}: the counts that the caller may see, without those that are 0. */
    static void write(JsonGenerator json, Asked asked) throws IOException {
        json.writeObjectFieldStart("stats");
        Map<String, Long> counts =
                ShownCounts.to(asked.caller().isOperator()).counts(asked.scan().counts());
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            if (count.getValue() != 0) {
                json.writeNumberField(ShownCounts.identifier(count.getKey()), count.getValue());
            }
        }
        json.writeNumberField("elapsed_us", asked.nanos() / 1000);
        json.writeEndObject();
    }
}
