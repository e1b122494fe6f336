package io.cordwood.benchmarks.lifetime;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Cuts a file of lines into consecutive files of about the same size. Stateless. */
final class LineParts {
    private LineParts() {}

    static List<Path> cut(Path file, int parts, Path directory) throws IOException {
        long size = Math.ceilDiv(Files.size(file), parts);
        List<Path> cut = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(file)) {
            String line = in.readLine();
            while (line != null) {
                Path part = directory.resolve("part-%d.ndjson".formatted(cut.size()));
                cut.add(part);
                try (BufferedWriter out = Files.newBufferedWriter(part)) {
                    for (long written = 0; line != null && written < size; line = in.readLine()) {
                        out.write(line);
                        out.write('\n');
                        written += line.length() + 1L;
                    }
                }
            }
        }
        return cut;
    }
}
