package io.cordwood.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which rows a benchmark runs on. */
final class DataSetOptions {
    private static final int QUICK_ROWS = 50_000;
    private static final int FULL_ROWS = 1_000_000;
    /** Tables and commits of a thousand tenants would be all that a quick run shows. */
    private static final int QUICK_TENANTS = 60;

    private static final int FULL_TENANTS = 1000;

    @Option(names = "--quick", description = "Less data: ends within a minute.")
    boolean quick;

    @Option(
            names = "--ndjson",
            paramLabel = "FILE",
            description = "Rows of the request_log set, one JSON object a line, with members tenant_id and ts"
                    + " (microseconds). Default: generated, seeded.")
    Optional<Path> ndjson = Optional.empty();

    @Option(
            names = "--queries",
            paramLabel = "FILE",
            description =
                    "Queries with expected answers for these rows. Default: chosen from the rows, answers computed"
                            + " from the raw lines.")
    Optional<Path> queries = Optional.empty();

    @Option(names = "--rows", paramLabel = "N", description = "Rows to generate.")
    Optional<Integer> rows = Optional.empty();

    /** The file of rows; generated ones are kept between runs. */
    Path file() throws IOException {
        if (ndjson.isPresent()) {
            if (!Files.isReadable(ndjson.get())) {
                throw new IOException("cannot read " + ndjson.get() + "; name a file of JSON lines");
            }
            return ndjson.get();
        }
        int count = rows.orElse(quick ? QUICK_ROWS : FULL_ROWS);
        int tenants = quick ? QUICK_TENANTS : FULL_TENANTS;
        Path file = Path.of(
                System.getProperty("java.io.tmpdir"), "cordwood-request-log-%d-%d.ndjson".formatted(count, tenants));
        if (!Files.exists(file)) {
            Path part = Files.createTempFile(file.getParent(), "request-log", ".part");
            RequestLogGenerator.write(part, count, tenants);
            Files.move(part, file);
        }
        return file;
    }
}
