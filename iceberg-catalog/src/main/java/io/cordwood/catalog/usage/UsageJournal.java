package io.cordwood.catalog.usage;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The additions of a table's last commits to the tenant's usage, until the catalog service has added them up.
 * Immutable.
 *
 * <p>The table property {@value #PROPERTY} holds it. It changes in the very commit that moves the table offsets, so it
 * is exactly-once like the rows. Commits are numbered, and the service remembers the last number that it added, so that
 * a repeated addition changes nothing. The journal keeps the last {@value #COMMITS} commits, so that it does not grow:
 * the service accepts no commit that would drop one that is not added up yet.
 *
 * @param tenantId the tenant
 * @param additions ascending by sequence, and within a commit by hour
 */
public record UsageJournal(String tenantId, List<Addition> additions) {
    /** Name of the table property that holds the journal. */
    public static final String PROPERTY = "cordwood.usage";

    private static final int COMMITS = 5;

    /**
     * One commit's addition to one hour.
     *
     * @param sequence number of the commit among the table's commits that added rows, from 1, without gaps
     * @param hour UTC hour, hours since the epoch
     * @param amount the added amounts
     */
    public record Addition(long sequence, long hour, IngestTotals amount) {
        public Addition {
            requireNonNull(amount, "amount is null");
        }
    }

    public UsageJournal {
        requireNonNull(tenantId, "tenantId is null");
        additions = List.copyOf(additions);
    }

    /**
     * The journal in the properties of a table; empty if it has none yet.
     *
     * @throws IllegalArgumentException if the property is malformed
     */
    public static UsageJournal fromProperties(String tenantId, Map<String, String> properties) {
        String json = properties.get(PROPERTY);
        return json == null ? new UsageJournal(tenantId, List.of()) : fromJson(json);
    }

    /**
     * Parses the JSON of {@link #toJson}.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public static UsageJournal fromJson(String json) {
        try {
            JsonNode journal = Json.MAPPER.readTree(json);
            List<Addition> additions = new ArrayList<>();
            for (JsonNode addition : journal.path("additions")) {
                additions.add(new Addition(
                        number(addition, "sequence"),
                        number(addition, "hour"),
                        new IngestTotals(
                                number(addition, "rows"),
                                number(addition, "raw-bytes"),
                                number(addition, "stored-bytes"))));
            }
            return new UsageJournal(Json.text(journal, "tenant"), additions);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Property %s is not JSON: %s".formatted(PROPERTY, json), e);
        }
    }

    private static long number(JsonNode json, String member) {
        JsonNode value = json.path(member);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new IllegalArgumentException(
                    "Member '%s' in property %s is not a whole number: %s".formatted(member, PROPERTY, json));
        }
        return value.longValue();
    }

    /** Number of the last commit; 0 if there was none. */
    public long lastSequence() {
        return additions.isEmpty() ? 0 : additions.getLast().sequence();
    }

    /** Number of the first commit in the journal; 1 if there was none. */
    public long firstSequence() {
        return additions.isEmpty() ? 1 : additions.getFirst().sequence();
    }

    /**
     * The journal after one more commit.
     *
     * @param byHour its additions by hour; not empty
     */
    public UsageJournal plus(Map<Long, IngestTotals> byHour) {
        long sequence = lastSequence() + 1;
        List<Addition> kept = new ArrayList<>(additions);
        kept.removeIf(addition -> addition.sequence() <= sequence - COMMITS);
        byHour.forEach((hour, amount) -> kept.add(new Addition(sequence, hour, amount)));
        return new UsageJournal(tenantId, kept);
    }

    /** Compact JSON. */
    public String toJson() {
        ObjectNode json = Json.object().put("tenant", tenantId);
        ArrayNode array = json.putArray("additions");
        for (Addition addition : additions) {
            array.addObject()
                    .put("sequence", addition.sequence())
                    .put("hour", addition.hour())
                    .put("rows", addition.amount().rows())
                    .put("raw-bytes", addition.amount().rawBytes())
                    .put("stored-bytes", addition.amount().storedBytes());
        }
        return json.toString();
    }
}
