package io.cordwood.benchmarks.data;

import io.cordwood.benchmarks.run.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the rows of a benchmark and the queries on them. */
public final class DataSetOptions {
    private static final int QUICK_ROWS = 50_000;
    private static final int FULL_ROWS = 1_000_000;
    /** With a thousand tenants, tables and commits would dominate a quick run. */
    private static final int QUICK_TENANTS = 50;

    private static final int FULL_TENANTS = 1000;
    /** One day, so that the largest tenant has enough rows a day for an index. */
    private static final int QUICK_HOURS = 24;

    private static final int FULL_HOURS = 48;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--quick", description = "Less data: ends within a minute.")
    private boolean quick;

    @Option(
            names = "--ndjson",
            paramLabel = "FILE",
            description = "Rows of the request_log set, one JSON object a line, with members tenant_id and ts"
                    + " (microseconds). Default: generated, seeded.")
    private Optional<Path> ndjson = Optional.empty();

    @Option(
            names = "--bank",
            paramLabel = "FILE",
            description =
                    "Generates rows with text from these real log lines: lines of service, level and text, separated"
                            + " by tabs, compressed with xz. Without --quick, --rows and --tenants these are the"
                            + " 5,000,000 rows of the published figures, with their queries. Needs Python 3.")
    private Optional<Path> bank = Optional.empty();

    @Option(
            names = "--queries",
            paramLabel = "FILE",
            description =
                    "Queries with expected answers for these rows. Default: chosen from the rows, answers computed"
                            + " from the raw lines.")
    private Optional<Path> queries = Optional.empty();

    @Option(names = "--rows", paramLabel = "N", description = "Rows to generate.")
    private Optional<Integer> rows = Optional.empty();

    @Option(
            names = "--tenants",
            paramLabel = "N",
            description = "Tenants of generated rows. Default: 1000, with --quick 50.")
    private Optional<Integer> tenants = Optional.empty();

    /** Whether the run is reduced. */
    public boolean isQuick() {
        return quick;
    }

    /**
     * Checks the options.
     *
     * @throws ParameterException if they are inconsistent
     */
    public void check() {
        require(rows.isEmpty() || rows.get() > 0, "--rows: %s is not a number of rows", rows);
        require(rows.isEmpty() || ndjson.isEmpty(), "--rows is for generated rows, and %s is given", ndjson);
        require(tenants.isEmpty() || tenants.get() > 0, "--tenants: %s is not a number of tenants", tenants);
        require(tenants.isEmpty() || ndjson.isEmpty(), "--tenants is for generated rows, and %s is given", ndjson);
        require(ndjson.isEmpty() || isReadable(ndjson.get()), "--ndjson: cannot read %s", ndjson);
        require(bank.isEmpty() || ndjson.isEmpty(), "--bank is for generated rows, and %s is given", ndjson);
        require(bank.isEmpty() || isReadable(bank.get()), "--bank: cannot read %s", bank);
        require(queries.isEmpty() || isReadable(queries.get()), "--queries: cannot read %s", queries);
    }

    private static boolean isReadable(Path file) {
        return Files.isRegularFile(file) && Files.isReadable(file);
    }

    private void require(boolean condition, String message, Optional<?> value) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message.formatted(value.orElseThrow()));
        }
    }

    /** The file of rows; generated ones are kept between runs. */
    public Path file(Scratch scratch) throws IOException {
        if (ndjson.isPresent()) {
            return ndjson.get();
        }
        int ofTenants = tenants.orElse(quick ? QUICK_TENANTS : FULL_TENANTS);
        if (bank.isPresent()) {
            return bankFile(scratch, bank.get(), ofTenants);
        }
        int count = rows.orElse(quick ? QUICK_ROWS : FULL_ROWS);
        int hours = quick ? QUICK_HOURS : FULL_HOURS;
        Path file = Path.of(
                System.getProperty("java.io.tmpdir"),
                "cordwood-request-log-%d-%d-%dh.ndjson".formatted(count, ofTenants, hours));
        if (!Files.exists(file)) {
            Path part = scratch.directory().resolve("request-log.ndjson");
            RequestLogGenerator.write(part, count, ofTenants, hours);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return file;
    }

    private Path bankFile(Scratch scratch, Path lines, int ofTenants) throws IOException {
        int count = bankRows();
        Path file = Path.of(
                System.getProperty("java.io.tmpdir"),
                "cordwood-request-log-bank-%d-%d.ndjson".formatted(count, ofTenants));
        if (!Files.exists(file)) {
            Path generated = RequestLogSet.generate(scratch, lines, count, ofTenants);
            Files.move(generated, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return file;
    }

    private int bankRows() {
        return rows.orElse(quick ? QUICK_ROWS : RequestLogSet.ROWS);
    }

    private boolean isWholeSet() {
        return bank.isPresent()
                && bankRows() == RequestLogSet.ROWS
                && tenants.orElse(quick ? QUICK_TENANTS : FULL_TENANTS) == RequestLogSet.TENANTS;
    }

    private List<BenchQuery> chosenQueries(Scratch scratch) throws IOException {
        if (queries.isPresent()) {
            return BenchQuery.load(queries.get());
        }
        return isWholeSet() ? RequestLogSet.queries(scratch) : DerivedQueries.of(file(scratch));
    }

    /** The queries on {@link #file these rows}. */
    public List<BenchQuery> queries(Scratch scratch) throws IOException {
        List<BenchQuery> found = chosenQueries(scratch);
        if (found.isEmpty()) {
            throw new IOException("no queries: the rows hold none of the tenants 1, 50 and 500; take more rows");
        }
        return found;
    }
}
