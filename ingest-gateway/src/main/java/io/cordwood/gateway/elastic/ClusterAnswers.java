package io.cordwood.gateway.elastic;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.gateway.door.JsonReply;
import io.cordwood.http.Reply;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Answers to what shippers ask before they send: what they talk to, its license and health, and whether templates,
 * policies and indices are there. All are, as nothing here needs them. Thread-safe.
 */
final class ClusterAnswers {
    private static final String VERSION = "8.19.0";
    private static final String NAME = "cordwood";
    private static final String UUID = "Y29yZHdvb2QtZ2F0ZXdheQ";
    private static final String BUILD_HASH = "0000000000000000000000000000000000000000";
    private static final String BUILD_DATE = "2025-07-29T00:00:00.000000000Z";
    private static final Set<String> READS = Set.of("GET", "HEAD");

    /**
     * The answer.
     *
     * @param segments of the path
     * @param host the address by which the client knows the gateway
     * @return empty if it is no such question
     */
    Optional<Reply> answer(String method, List<String> segments, String host) {
        if (segments.getLast().equals("_refresh")) {
            // The client for JavaScript asks for it with GET
            return object(ClusterAnswers::writeShards);
        }
        boolean reads = READS.contains(method);
        String first = segments.getFirst();
        if (reads) {
            String name = segments.getLast();
            return switch (first) {
                case "" -> object(ClusterAnswers::writeProduct);
                case "_license" -> object(ClusterAnswers::writeLicense);
                case "_xpack" -> object(ClusterAnswers::writeFeatures);
                case "_cluster" -> segments.contains("health") ? object(ClusterAnswers::writeHealth) : Optional.empty();
                case "_nodes" -> object(json -> writeNodes(json, host));
                case "_index_template" ->
                    object(json -> writeTemplates(json, "index_templates", "index_template", name));
                case "_component_template" ->
                    object(json -> writeTemplates(json, "component_templates", "component_template", name));
                case "_template" -> named(name, json -> writeList(json, "index_patterns", name));
                case "_ilm" -> named(name, ClusterAnswers::writePolicy);
                case "_ingest" -> named(name, json -> writeList(json, "processors"));
                case "_alias" -> named(name, json -> writeEmpty(json, "aliases", name));
                case "_data_stream" -> object(json -> writeDataStream(json, name));
                default -> first.startsWith("_") ? Optional.empty() : index(segments);
            };
        }
        if (!method.equals("PUT") && !(method.equals("POST") && first.equals("_aliases"))) {
            return Optional.empty();
        }
        return switch (first) {
            case "_index_template", "_component_template", "_template", "_ilm", "_ingest", "_data_stream", "_aliases" ->
                Optional.of(ElasticReplies.acknowledged());
            default -> first.isEmpty() || first.startsWith("_") ? Optional.empty() : created(segments);
        };
    }

    private static Optional<Reply> object(JsonReply.Writer members) {
        return Optional.of(ElasticReplies.object(200, members));
    }

    private static Optional<Reply> named(String name, JsonReply.Writer members) {
        return object(json -> {
            json.writeObjectFieldStart(name);
            members.write(json);
            json.writeEndObject();
        });
    }

    private static Optional<Reply> index(List<String> segments) {
        String index = segments.getFirst();
        if (segments.size() > 1 && !isPartOfIndex(segments.get(1))) {
            return Optional.empty();
        }
        return named(index, json -> {
            writeEmpty(json, "aliases");
            writeEmpty(json, "mappings");
            writeEmpty(json, "settings", "index");
        });
    }

    private static boolean isPartOfIndex(String name) {
        return Set.of("_mapping", "_settings", "_alias", "_aliases").contains(name);
    }

    private static Optional<Reply> created(List<String> segments) {
        if (segments.size() > 1) {
            return isPartOfIndex(segments.get(1)) ? Optional.of(ElasticReplies.acknowledged()) : Optional.empty();
        }
        return object(json -> {
            json.writeBooleanField("acknowledged", true);
            json.writeBooleanField("shards_acknowledged", true);
            json.writeStringField("index", segments.getFirst());
        });
    }

    private static void writeProduct(JsonGenerator json) throws IOException {
        json.writeStringField("name", NAME);
        json.writeStringField("cluster_name", NAME);
        json.writeStringField("cluster_uuid", UUID);
        json.writeObjectFieldStart("version");
        json.writeStringField("number", VERSION);
        json.writeStringField("build_flavor", "default");
        json.writeStringField("build_type", "tar");
        json.writeStringField("build_hash", BUILD_HASH);
        json.writeStringField("build_date", BUILD_DATE);
        json.writeBooleanField("build_snapshot", false);
        json.writeStringField("lucene_version", "9.12.2");
        json.writeStringField("minimum_wire_compatibility_version", "7.17.0");
        json.writeStringField("minimum_index_compatibility_version", "7.0.0");
        json.writeEndObject();
        json.writeStringField("tagline", "You Know, for Search");
    }

    private static void writeLicense(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("license");
        json.writeStringField("status", "active");
        json.writeStringField("uid", "00000000-0000-0000-0000-000000000000");
        json.writeStringField("type", "basic");
        json.writeStringField("issue_date", "2025-01-01T00:00:00.000Z");
        json.writeNumberField("issue_date_in_millis", 1_735_689_600_000L);
        json.writeNumberField("max_nodes", 1000);
        json.writeNullField("max_resource_units");
        json.writeStringField("issued_to", NAME);
        json.writeStringField("issuer", "elasticsearch");
        json.writeNumberField("start_date_in_millis", -1);
        json.writeEndObject();
    }

    private static void writeFeatures(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("build");
        json.writeStringField("hash", BUILD_HASH);
        json.writeStringField("date", BUILD_DATE);
        json.writeEndObject();
        json.writeObjectFieldStart("license");
        json.writeStringField("uid", "00000000-0000-0000-0000-000000000000");
        json.writeStringField("type", "basic");
        json.writeStringField("mode", "basic");
        json.writeStringField("status", "active");
        json.writeEndObject();
        json.writeObjectFieldStart("features");
        for (String feature : List.of("data_streams", "ilm", "monitoring", "security")) {
            json.writeObjectFieldStart(feature);
            json.writeBooleanField("available", true);
            json.writeBooleanField("enabled", !feature.equals("monitoring"));
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeStringField("tagline", "You know, for X");
    }

    private static void writeHealth(JsonGenerator json) throws IOException {
        json.writeStringField("cluster_name", NAME);
        json.writeStringField("status", "green");
        json.writeBooleanField("timed_out", false);
        for (String one :
                List.of("number_of_nodes", "number_of_data_nodes", "active_primary_shards", "active_shards")) {
            json.writeNumberField(one, 1);
        }
        for (String none : List.of(
                "relocating_shards",
                "initializing_shards",
                "unassigned_shards",
                "delayed_unassigned_shards",
                "number_of_pending_tasks",
                "number_of_in_flight_fetch",
                "task_max_waiting_in_queue_millis")) {
            json.writeNumberField(none, 0);
        }
        json.writeNumberField("active_shards_percent_as_number", 100.0);
    }

    private static void writeShards(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("_shards");
        json.writeNumberField("total", 1);
        json.writeNumberField("successful", 1);
        json.writeNumberField("failed", 0);
        json.writeEndObject();
    }

    /** One node, at the address that the client has asked: it may send to what it finds here. */
    private static void writeNodes(JsonGenerator json, String host) throws IOException {
        json.writeObjectFieldStart("_nodes");
        json.writeNumberField("total", 1);
        json.writeNumberField("successful", 1);
        json.writeNumberField("failed", 0);
        json.writeEndObject();
        json.writeStringField("cluster_name", NAME);
        json.writeObjectFieldStart("nodes");
        json.writeObjectFieldStart(UUID);
        json.writeStringField("name", NAME);
        json.writeStringField("host", host.replaceFirst(":\\d+$", ""));
        json.writeStringField("version", VERSION);
        json.writeStringField("build_flavor", "default");
        writeList(json, "roles", "master", "data", "ingest");
        json.writeObjectFieldStart("http");
        writeList(json, "bound_address", host);
        json.writeStringField("publish_address", host);
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void writeTemplates(JsonGenerator json, String list, String member, String name) throws IOException {
        json.writeArrayFieldStart(list);
        json.writeStartObject();
        json.writeStringField("name", name);
        json.writeObjectFieldStart(member);
        if (member.equals("index_template")) {
            writeList(json, "index_patterns", name);
            writeList(json, "composed_of");
        } else {
            writeEmpty(json, "template");
        }
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndArray();
    }

    private static void writePolicy(JsonGenerator json) throws IOException {
        json.writeNumberField("version", 1);
        json.writeStringField("modified_date", "2025-01-01T00:00:00.000Z");
        writeEmpty(json, "policy", "phases");
    }

    private static void writeDataStream(JsonGenerator json, String name) throws IOException {
        json.writeArrayFieldStart("data_streams");
        json.writeStartObject();
        json.writeStringField("name", name);
        json.writeObjectFieldStart("timestamp_field");
        json.writeStringField("name", "@timestamp");
        json.writeEndObject();
        writeList(json, "indices");
        json.writeNumberField("generation", 1);
        json.writeStringField("status", "GREEN");
        json.writeStringField("template", name);
        json.writeEndObject();
        json.writeEndArray();
    }

    private static void writeList(JsonGenerator json, String name, String... values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    /** An empty object, perhaps within others. */
    private static void writeEmpty(JsonGenerator json, String... path) throws IOException {
        for (String name : path) {
            json.writeObjectFieldStart(name);
        }
        for (int i = 0; i < path.length; i++) {
            json.writeEndObject();
        }
    }
}
