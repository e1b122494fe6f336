package io.cordwood.benchmarks.identity;

import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.stack.FlushRequests;
import io.cordwood.benchmarks.stack.LineProducer;
import io.cordwood.benchmarks.stack.RecordTokens;
import io.cordwood.benchmarks.stack.RunningStack;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.catalog.client.CatalogClient;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One of the two stacks, with what is needed to ship to it. Not thread-safe. */
final class MeasuredStack {
    /** A tenant whose rows are not flushed. */
    static final String HOT_TENANT = "1000000";

    /** Rows are flushed on request. */
    private static final int AGE_SECONDS = 3600;

    private static final long TIMEOUT_SECONDS = 900;

    /** Rows of a batch, as in a small request to the gateway. */
    private static final int GATEWAY_ROWS = 100;

    private final RunningStack stack;
    /** The token that goes with each record: it is good for all tenants. */
    private final Optional<String> token;

    private long committed;

    private MeasuredStack(RunningStack stack, Optional<String> token) {
        this.stack = stack;
        this.token = token;
    }

    static MeasuredStack open(Scratch scratch) throws IOException, InterruptedException {
        return start(scratch, false);
    }

    static MeasuredStack closed(Scratch scratch) throws IOException, InterruptedException {
        return start(scratch, true);
    }

    private static MeasuredStack start(Scratch scratch, boolean isClosed) throws IOException, InterruptedException {
        // Merging has its own benchmark.
        List<String> options = new ArrayList<>(List.of("--compaction", "interval=1d"));
        if (isClosed) {
            options.add("--auth");
        }
        RunningStack stack =
                RunningStack.start(scratch, TenantLogBlocks.STREAM, AGE_SECONDS, options.toArray(String[]::new));
        stack.awaitReady();
        return new MeasuredStack(stack, isClosed ? token(stack) : Optional.empty());
    }

    private static Optional<String> token(RunningStack stack) throws IOException, InterruptedException {
        try (CatalogClient catalog = stack.catalogClient()) {
            return Optional.of(RecordTokens.ofGateway(catalog));
        }
    }

    /** Ships the lines as the gateway does: those of a tenant in batches. */
    LineProducer.Shipped shipAsGateway(Path ndjson) throws IOException, InterruptedException {
        return ship(ndjson, GATEWAY_ROWS);
    }

    private LineProducer.Shipped ship(Path ndjson, int batchRows) throws IOException, InterruptedException {
        return LineProducer.ship(ndjson, stack.kafka("producer"), TenantLogBlocks.STREAM, token, batchRows);
    }

    /** Ships the lines as the gateway does, and waits until all are committed. */
    MeasuredPass ingestAsGateway(Path ndjson) throws IOException, SQLException, InterruptedException {
        return ingest(ndjson, GATEWAY_ROWS);
    }

    /** Ships each line as a record, as a forwarder of the lines of all tenants does; waits until all are committed. */
    MeasuredPass ingestRecords(Path ndjson) throws IOException, SQLException, InterruptedException {
        return ingest(ndjson, 1);
    }

    private MeasuredPass ingest(Path ndjson, int batchRows) throws IOException, SQLException, InterruptedException {
        double job = cpuSeconds("flink");
        double kafka = cpuSeconds("kafka");
        long start = System.nanoTime();
        LineProducer.Shipped shipped = ship(ndjson, batchRows);
        FlushRequests.send(stack, TenantLogBlocks.STREAM, shipped.tenants());
        committed += shipped.rows();
        stack.awaitRows(TenantLogBlocks.STREAM, committed, TIMEOUT_SECONDS);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new MeasuredPass(shipped.rows(), seconds, cpuSeconds("flink") - job, cpuSeconds("kafka") - kafka);
    }

    private double cpuSeconds(String service) throws IOException {
        return ProcessUsage.of(stack.pid(service)).cpuSeconds();
    }

    Connection connect() throws IOException, SQLException, InterruptedException {
        return stack.connect();
    }
}
