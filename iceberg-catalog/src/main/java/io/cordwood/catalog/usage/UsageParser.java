package io.cordwood.catalog.usage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;

/** JSON of usage, for client and server. Stateless, thread-safe. */
public final class UsageParser {
    private UsageParser() {}

    /**
     * A page of usage.
     *
     * @param usage ordered by hour, tenant and stream
     * @param nextHour first hour of the next page; empty at the end
     * @param tablesMissing number of requested tables whose usage may be incomplete, as they could not be read yet
     */
    public record UsagePage(List<Usage> usage, OptionalLong nextHour, long tablesMissing) {
        public UsagePage {
            usage = List.copyOf(usage);
        }
    }

    /** {@code {"from-hour":.., "to-hour":.., "tenants":[..]}}. */
    public static ObjectNode toJson(UsageFilter filter) {
        ObjectNode json = Json.object().put("from-hour", filter.fromHour()).put("to-hour", filter.toHour());
        ArrayNode tenants = json.putArray("tenants");
        new TreeSet<>(filter.tenantIds()).forEach(tenants::add);
        return json;
    }

    /** Reads {@link #toJson(UsageFilter)}; absent members do not filter. */
    public static UsageFilter filter(JsonNode json) {
        return new UsageFilter(
                Json.wholeNumber(json, "from-hour").orElse(UsageFilter.ALL.fromHour()),
                Json.wholeNumber(json, "to-hour").orElse(UsageFilter.ALL.toHour()),
                json.has("tenants") ? new TreeSet<>(Json.texts(json, "tenants")) : UsageFilter.ALL.tenantIds());
    }

    /**
     * {@code {"usage":[{"tenant":.., "stream":.., "hour":.., "rows":.., "raw-bytes":.., "stored-bytes":..,
     * "scanned-bytes":..}], "next-hour":.., "tables-missing":..}}.
     */
    public static ObjectNode toJson(UsagePage page) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("usage");
        for (Usage usage : page.usage()) {
            array.addObject()
                    .put("tenant", usage.tenantId())
                    .put("stream", usage.stream())
                    .put("hour", usage.hour())
                    .put("rows", usage.ingested().rows())
                    .put("raw-bytes", usage.ingested().rawBytes())
                    .put("stored-bytes", usage.ingested().storedBytes())
                    .put("scanned-bytes", usage.scannedBytes());
        }
        page.nextHour().ifPresent(hour -> json.put("next-hour", hour));
        return json.put("tables-missing", page.tablesMissing());
    }

    /** Reads {@link #toJson(UsagePage)}; an older service does not report missing tables. */
    public static UsagePage page(JsonNode json) {
        List<Usage> usage = new ArrayList<>();
        for (JsonNode entry : json.path("usage")) {
            usage.add(new Usage(
                    Json.text(entry, "tenant"),
                    Json.text(entry, "stream"),
                    number(entry, "hour"),
                    new IngestTotals(number(entry, "rows"), number(entry, "raw-bytes"), number(entry, "stored-bytes")),
                    number(entry, "scanned-bytes")));
        }
        return new UsagePage(
                usage,
                Json.wholeNumber(json, "next-hour").map(OptionalLong::of).orElse(OptionalLong.empty()),
                Json.wholeNumber(json, "tables-missing").orElse(0L));
    }

    /**
     * {@code {"first-open-hour":.., "scans":[{"tenant":.., "stream":.., "hour":.., "bytes":..}]}}; the path has the
     * incarnation.
     */
    public static ObjectNode toJson(Scans scans) {
        ObjectNode json = Json.object().put("first-open-hour", scans.firstOpenHour());
        ArrayNode array = json.putArray("scans");
        for (Scans.Total total : scans.totals()) {
            array.addObject()
                    .put("tenant", total.tenantId())
                    .put("stream", total.stream())
                    .put("hour", total.hour())
                    .put("bytes", total.bytes());
        }
        return json;
    }

    /** Reads {@link #toJson(Scans)}; without a first open hour, as older nodes report, no hour is closed. */
    public static Scans scans(String incarnation, JsonNode json) {
        List<Scans.Total> totals = new ArrayList<>();
        for (JsonNode total : json.path("scans")) {
            totals.add(new Scans.Total(
                    Json.text(total, "tenant"),
                    Json.text(total, "stream"),
                    number(total, "hour"),
                    number(total, "bytes")));
        }
        return new Scans(incarnation, Json.wholeNumber(json, "first-open-hour").orElse(Scans.NONE_CLOSED), totals);
    }

    private static long number(JsonNode json, String member) {
        return Json.wholeNumber(json, member)
                .orElseThrow(() -> new IllegalArgumentException("Member '%s' is missing".formatted(member)));
    }
}
