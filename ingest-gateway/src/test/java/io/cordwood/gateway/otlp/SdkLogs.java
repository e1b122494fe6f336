package io.cordwood.gateway.otlp;

import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static io.opentelemetry.api.common.AttributeKey.doubleKey;
import static io.opentelemetry.api.common.AttributeKey.longArrayKey;
import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.LogRecordBuilder;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Logs that OpenTelemetry's SDK for Java exports, and the rows that come of them. */
final class SdkLogs {
    private static final int ROWS = 800;
    private static final long SECONDS = 1_795_168_000;
    private static final List<Severity> SEVERITIES =
            List.copyOf(EnumSet.complementOf(EnumSet.of(Severity.UNDEFINED_SEVERITY_NUMBER)));

    private SdkLogs() {}

    /** Logs, and waits until all is exported. */
    static void export(LogRecordExporter exporter) {
        SdkLoggerProvider provider = SdkLoggerProvider.builder()
                .setResource(Resource.builder()
                        .put("service.name", "checkout")
                        .put("host.cpus", 4)
                        .setSchemaUrl("https://example.com/resource")
                        .build())
                .addLogRecordProcessor(BatchLogRecordProcessor.builder(exporter)
                        .setMaxExportBatchSize(250)
                        .build())
                .build();
        Logger logger = provider.loggerBuilder("shop.cart")
                .setInstrumentationVersion("1.2")
                .setSchemaUrl("https://example.com/scope")
                .build();
        for (int i = 0; i < ROWS; i++) {
            emit(logger.logRecordBuilder(), i);
        }
        CompletableResultCode ended = provider.shutdown().join(1, TimeUnit.MINUTES);
        assertThat(ended.isSuccess()).as("all is exported").isTrue();
    }

    /** Checks that these are all rows, with all of their fields. */
    static void requireAll(List<Map<String, Object>> found) {
        Map<Object, Map<String, Object>> expected = new HashMap<>();
        for (int i = 0; i < ROWS; i++) {
            expected.put((long) i, row(i));
        }
        assertThat(found).hasSize(ROWS);
        Map<Object, Map<String, Object>> rows = new HashMap<>();
        found.forEach(row -> rows.put(row.get("order"), row));
        assertThat(rows).isEqualTo(expected);
    }

    private static void emit(LogRecordBuilder log, int i) {
        Severity severity = SEVERITIES.get(i % SEVERITIES.size());
        log.setTimestamp(Instant.ofEpochSecond(SECONDS, i * 1_000L + 999))
                .setObservedTimestamp(Instant.ofEpochSecond(SECONDS + 1, i))
                .setSeverity(severity)
                .setSeverityText(severity.name())
                .setAttribute(longKey("order"), (long) i)
                .setAttribute(stringKey("user"), text(i))
                .setAttribute(doubleKey("price"), i / 4.0)
                .setAttribute(booleanKey("http.paid"), i % 2 == 0)
                .setAttribute(longArrayKey("items"), List.of(1L, (long) i));
        if (i % 4 == 0) {
            log.setBody(Value.of(
                    KeyValue.of("text", Value.of(text(i))),
                    KeyValue.of("inner", Value.of(KeyValue.of("n", Value.of((long) i))))));
        } else {
            log.setBody(text(i));
        }
        if (i % 3 == 0) {
            log.setEventName("order.placed")
                    .setContext(Context.root()
                            .with(Span.wrap(SpanContext.create(
                                    traceId(i), spanId(i), TraceFlags.getSampled(), TraceState.getDefault()))));
        }
        log.emit();
    }

    private static Map<String, Object> row(int i) {
        Severity severity = SEVERITIES.get(i % SEVERITIES.size());
        Map<String, Object> row = new HashMap<>(Map.of(
                "ts",
                SECONDS * 1_000_000 + i,
                "observed_time_unix_nano",
                (SECONDS + 1) * 1_000_000_000 + i,
                "level",
                severity.name(),
                "severity_number",
                (long) severity.getSeverityNumber(),
                "order",
                (long) i,
                "user",
                text(i),
                "price",
                i / 4.0,
                "http.paid",
                i % 2 == 0,
                "items",
                "[1," + i + "]"));
        row.putAll(Map.of(
                "resource.service.name", "checkout",
                "resource.host.cpus", 4L,
                "resource.schema_url", "https://example.com/resource",
                "scope.name", "shop.cart",
                "scope.version", "1.2",
                "scope.schema_url", "https://example.com/scope"));
        if (i % 4 == 0) {
            row.put("message.text", text(i));
            row.put("message.inner.n", (long) i);
        } else {
            row.put("message", text(i));
        }
        if (i % 3 == 0) {
            row.putAll(Map.of("event_name", "order.placed", "trace_id", traceId(i), "span_id", spanId(i), "flags", 1L));
        }
        return row;
    }

    private static String text(int i) {
        return "line " + i + " said \"no\"\n\tand \\ left, é 日本 \uD83D\uDE00 \u0001";
    }

    private static String traceId(int i) {
        return "%032x".formatted(i + 1);
    }

    private static String spanId(int i) {
        return "%016x".formatted(i + 1);
    }
}
