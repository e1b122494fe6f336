package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.Program.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Rows with a number each, by which a test knows that all are there once: shipped and read by the command line. */
final class NumberedRows {
    private final Commands cordwood;
    private final Path files;
    private final ObjectMapper json = new ObjectMapper();

    /** Runs a command and waits for its end. */
    interface Commands {
        Outcome run(String... command) throws Exception;
    }

    /** @param files where rows to ship are written */
    NumberedRows(Commands cordwood, Path files) {
        this.cordwood = cordwood;
        this.files = files;
    }

    /** Ships rows {@code from} to {@code to}, exclusive. */
    void produce(String tenant, long from, long to) throws Exception {
        Path rows = Files.writeString(
                files.resolve("%s-%d.ndjson".formatted(tenant, from)),
                LongStream.range(from, to)
                        .mapToObj("{\"n\":%1$d,\"message\":\"row %1$d\"}"::formatted)
                        .collect(Collectors.joining("\n")),
                StandardCharsets.UTF_8);
        assertThat(ok("produce", "--tenant", tenant, rows.toString()))
                .contains("%,d records acknowledged".formatted(to - from));
    }

    /** What SQL finds of a tenant, as {@link #range} says it. */
    String of(String tenant) throws Exception {
        return json.readTree(ok(
                        "sql",
                        "--json",
                        "SELECT count(*) AS n, count(DISTINCT n) AS d, sum(n) AS s FROM cordwood.%s.logs"
                                .formatted(tenant)))
                .toString();
    }

    /** Rows {@code from} to {@code to}, exclusive, each once. */
    static String range(long from, long to) {
        return "{\"n\":%1$d,\"d\":%1$d,\"s\":%2$d}"
                .formatted(to - from, LongStream.range(from, to).sum());
    }

    /** Waits until all rows are in tables. */
    void awaitArchived() throws Exception {
        Waiting.until(
                "all is archived",
                () -> cordwood.run("status").out().contains("stream logs: 0 records not yet archived"));
    }

    private String ok(String... command) throws Exception {
        return cordwood.run(command).ok(command);
    }
}
