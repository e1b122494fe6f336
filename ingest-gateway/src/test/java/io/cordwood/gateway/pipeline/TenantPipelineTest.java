package io.cordwood.gateway.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.pipeline.PipelineParser;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TenantPipelineTest {
    private static TenantPipeline pipeline(String... steps) {
        return new TenantPipeline(PipelineParser.pipeline(
                Json.parse("{\"steps\":[%s]}".formatted(String.join(",", steps)).getBytes(UTF_8))));
    }

    private static PipedRows run(TenantPipeline pipeline, String... rows) {
        byte[] value = (String.join("\n", rows) + "\n").getBytes(UTF_8);
        return pipeline.run(
                Map.of("logs", List.of(new Payload(value, Payload.Format.JSON_LINES, rows.length))),
                Memory.countedElsewhere());
    }

    private static List<String> rows(PipedRows piped) {
        List<String> rows = new ArrayList<>();
        for (Payload payload : piped.payloads().get("logs")) {
            assertThat(payload.format()).isEqualTo(Payload.Format.JSON_LINES);
            List<String> lines = new String(payload.value(), UTF_8).lines().toList();
            assertThat(payload.rows()).isEqualTo(lines.size());
            rows.addAll(lines);
        }
        return rows;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"type":"rename","from":"msg","to":"message"}          | {"MSG":"a","n":1.50}              | {"message":"a","n":1.50}
        {"type":"rename","from":"msg","to":"n"}                | {"msg":"a","n":1}                 | {"msg":"a","n":1}
        {"type":"rename","from":"http.status","to":"status"}   | {"http":{"status":2,"x":{}}}      | {"status":2,"http.x":{}}
        {"type":"remove","columns":["a","b.c"]}                | {"A":1,"b":{"c":[1,2],"d":"\\u00e4"}} | {"b.d":"\\u00e4"}
        {"type":"drop","column":"path","matches":"^/health"}   | {"path":"/healthz"}               | ``
        {"type":"drop","column":"path","matches":"^/health"}   | {"path":"/x/healthz"}             | {"path":"/x/healthz"}
        {"type":"drop","column":"code","matches":"^2"}         | {"code":204}                      | ``
        {"type":"sample","column":"a","matches":".","keep":0.5} | {"b":1}                          | {"b":1}
        {"type":"parse","column":"m","format":"json"}          | {"m":"{\\"a\\":{\\"b\\":1},\\"m\\":2}"} | {"m":"{\\"a\\":{\\"b\\":1},\\"m\\":2}","a.b":1}
        {"type":"parse","column":"m","format":"logfmt"}        | {"m":"a=1 b=\\"x \\\\\\" y\\" c d= a=2","b":0} | {"m":"a=1 b=\\"x \\\\\\" y\\" c d= a=2","b":0,"a":"1","d":""}
        {"type":"parse","column":"m","format":"logfmt","numbers":["a","b"],"overwrite":true} | {"m":"a=1 b=+1","b":0} | {"m":"a=1 b=+1","a":1,"b":"+1"}
        {"type":"parse","column":"m","format":"regex","pattern":"(?P<who>\\\\w+) (?:did )(?P<what>\\\\w+)?"} | {"m":"Ann did x"} | {"m":"Ann did x","who":"Ann","what":"x"}
        {"type":"parse","column":"m","format":"grok","pattern":"%{IP:ip} %{NUMBER:took:float}"} | {"m":"10.0.0.1 12.5ms"} | {"m":"10.0.0.1 12.5ms","ip":"10.0.0.1","took":12.5}
        {"type":"parse","column":"m","format":"json"}          | {"m":"no json"}                   | {"m":"no json"}
        {"type":"parse","column":"m","format":"json"}          | {"m":"{\\"a\\":[\\n{\\"x\\":1}\\n]}"} | {"m":"{\\"a\\":[\\n{\\"x\\":1}\\n]}","a":[ {"x":1} ]}
        {"type":"rename","from":"a","to":"b"}                  | {"a":1,"A":2}                     | {"b":1,"b":2}
        {"type":"remove","columns":["x"]}                      | {"":{},"b":1,"":{"x":2}}          | {"":{},"b":1,".x":2}
        {"type":"redact","kinds":["email"]}                    | {"m":"a@b.de"}                    | {"m":"[redacted:email]"}
        """)
    void stepsChangeRows(String step, String row, String expected) {
        List<String> rows = rows(run(pipeline(step), row));
        assertThat(rows).isEqualTo(expected.isEmpty() ? List.of() : List.of(expected));
    }

    @Test
    void stepsRunInTheirOrderAndRedactionLast() {
        TenantPipeline pipeline = pipeline(
                "{\"type\":\"redact\",\"kinds\":[\"email\"]}",
                "{\"type\":\"parse\",\"column\":\"m\",\"format\":\"logfmt\"}",
                "{\"type\":\"rename\",\"from\":\"mail\",\"to\":\"user\"}",
                "{\"type\":\"remove\",\"columns\":[\"m\"]}");
        PipedRows piped = run(pipeline, "{\"m\":\"mail=a@b.de\"}", "{\"m\":\"none\"}");
        assertThat(rows(piped)).containsExactly("{\"user\":\"[redacted:email]\"}", "{}");
        assertThat(piped.counts()).isEqualTo(new PipelineCounts(0, 1, Map.of("email", 1L)));
    }

    /** The same request keeps the same rows when it is sent again, and equal rows are not all of one lot. */
    @Test
    void samplesAreThoseOfTheLastTime() {
        TenantPipeline pipeline =
                pipeline("{\"type\":\"sample\",\"column\":\"l\",\"matches\":\"DEBUG\",\"keep\":0.25}");
        String[] rows = new String[4000];
        Arrays.fill(rows, "{\"l\":\"DEBUG\"}");
        List<String> kept = rows(run(pipeline, rows));
        assertThat(kept.size()).isBetween(900, 1100);
        assertThat(run(pipeline, rows).counts().dropped()).isEqualTo(4000 - kept.size());
    }

    @Test
    void aTextThatIsTooLongStaysAsItIs() {
        String row = "{\"m\":\"a=1 %s\"}".formatted("x".repeat(RowStep.MAX_CHARACTERS));
        PipedRows piped = run(pipeline("{\"type\":\"parse\",\"column\":\"m\",\"format\":\"logfmt\"}"), row);
        assertThat(rows(piped)).containsExactly(row);
        assertThat(piped.counts().unparsed()).isOne();
    }

    @Test
    void aRowThatCannotBeReadGoesOnRedacted() {
        PipedRows piped = run(
                pipeline("{\"type\":\"remove\",\"columns\":[\"a\"]}", "{\"type\":\"redact\",\"kinds\":[\"email\"]}"),
                "a@b.de is no row");
        assertThat(rows(piped)).containsExactly("[redacted:email] is no row");
        assertThat(piped.counts().unparsed()).isOne();
    }

    @Test
    void rowsOfOtlpBecomeColumns() {
        byte[] request = ExportLogsServiceRequest.newBuilder()
                .addResourceLogs(ResourceLogs.newBuilder()
                        .addScopeLogs(ScopeLogs.newBuilder()
                                .addLogRecords(LogRecord.newBuilder()
                                        .setTimeUnixNano(1_795_168_000_123_456_000L)
                                        .setBody(AnyValue.newBuilder().setStringValue("mail=a@b.de n=1")))))
                .build()
                .toByteArray();
        PipedRows piped = pipeline(
                        "{\"type\":\"parse\",\"column\":\"message\",\"format\":\"logfmt\"}",
                        "{\"type\":\"redact\",\"kinds\":[\"email\"]}")
                .run(
                        Map.of("logs", List.of(new Payload(request, Payload.Format.OTLP_PROTOBUF, 1))),
                        Memory.countedElsewhere());
        assertThat(rows(piped))
                .containsExactly(
                        "{\"ts\":1795168000123456,\"message\":\"mail=[redacted:email] n=1\",\"mail\":\"[redacted:email]\",\"n\":\"1\"}");
    }

    /** Columns repeat the names of the objects around them: such a row goes on as it is before it fills the memory. */
    @Test
    void namesThatRepeatAreBounded() {
        String row = "{\"%s\":{%s\"b\":1}}".formatted("k".repeat(100_000), "\"a\":1,".repeat(2000));
        PipedRows piped = run(pipeline("{\"type\":\"remove\",\"columns\":[\"x\"]}"), row);
        assertThat(rows(piped)).containsExactly(row);
        assertThat(piped.counts().unparsed()).isOne();
    }

    /** A row that parsing would make too large keeps its text, but not what a step removes. */
    @Test
    void whatIsRemovedDoesNotComeBack() {
        String row =
                "{\"m\":\"a=1\",\"secret\":\"x\",\"n\":\"%s\"}".formatted("y".repeat((16 << 20) - (16 << 10) - 40));
        PipedRows piped = run(
                pipeline(
                        "{\"type\":\"parse\",\"column\":\"m\",\"format\":\"logfmt\"}",
                        "{\"type\":\"parse\",\"column\":\"m\",\"format\":\"regex\",\"pattern\":\"(?P<a_long_name_for_a_column>.*)\"}",
                        "{\"type\":\"remove\",\"columns\":[\"secret\"]}"),
                row);
        assertThat(rows(piped)).containsExactly(row.replace(",\"secret\":\"x\"", ""));
    }

    @Test
    void manyColumnsTakeTheirTimeOnce() {
        StringBuilder wide = new StringBuilder("{\"m\":\"{\\\"x\\\":1");
        for (int i = 0; i < 4000; i++) {
            wide.append(",\\\"y%d\\\":1".formatted(i));
        }
        wide.append("}\"");
        for (int i = 0; i < 100_000; i++) {
            wide.append(",\"c%d\":1".formatted(i));
        }
        String row = wide.append('}').toString();
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> run(
                        pipeline("{\"type\":\"parse\",\"column\":\"m\",\"format\":\"json\",\"overwrite\":true}"), row));
    }
}
