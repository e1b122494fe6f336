package io.cordwood.benchmarks.lifetime;

import io.cordwood.benchmarks.data.RequestLogGenerator;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Rows of one kind of tenants, and how they are shipped and flushed. Immutable.
 *
 * @param name the case's name in the report
 * @param ndjson the rows, in time order
 * @param days number of days that they cover
 * @param parts number of parts in which the rows are shipped
 * @param maxAgeSeconds age at which rows are flushed; longer than it takes to ship a part
 * @param pauseSeconds time from the start of a part to that of the next, whether its rows are committed or not; 0: the
 *     next part is shipped when they are
 */
record LifeCase(String name, Path ndjson, int days, int parts, int maxAgeSeconds, int pauseSeconds) {
    private static final int HOURS = 24;
    private static final String ONE_TENANT = "\"tenant_id\":1,";

    /** A day of tenants with equally many rows. */
    static LifeCase ofEqualTenants(
            String name, Path directory, int tenants, int rowsOfPart, int parts, int maxAgeSeconds, int pauseSeconds)
            throws IOException {
        Path file = directory.resolve(name + ".ndjson");
        int rows = Math.multiplyExact(Math.multiplyExact(tenants, rowsOfPart), parts);
        int row = 0;
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (String line : RequestLogGenerator.lines(rows, 1, HOURS)) {
                out.write(line.replace(ONE_TENANT, "\"tenant_id\":%d,".formatted(1 + row++ % tenants)));
                out.write('\n');
            }
        }
        return new LifeCase(name, file, 1, parts, maxAgeSeconds, pauseSeconds);
    }
}
