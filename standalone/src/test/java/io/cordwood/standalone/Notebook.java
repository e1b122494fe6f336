package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A Jupyter notebook as JSON. Immutable. */
record Notebook(Path file, List<JsonNode> codeCells) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Notebook read(Path file) throws IOException {
        return new Notebook(
                file,
                JSON.readTree(file.toFile())
                        .path("cells")
                        .valueStream()
                        .filter(cell -> cell.path("cell_type").asText().equals("code"))
                        .toList());
    }

    /** The notebooks of a directory, in the order of their names. */
    static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".ipynb"))
                    .sorted()
                    .toList();
        }
    }

    /** Every cell was executed, in order and without an error, and one at least drew a plot. */
    void assertExecuted() {
        assertThat(codeCells).as("cells of " + file).isNotEmpty();
        int number = 0;
        for (JsonNode cell : codeCells) {
            assertThat(cell.path("execution_count").asInt())
                    .as("cell %s of %s", cell.path("id").asText(), file)
                    .isEqualTo(++number);
        }
        List<JsonNode> outputs = codeCells.stream()
                .flatMap(cell -> cell.path("outputs").valueStream())
                .toList();
        assertThat(outputs)
                .as("outputs of " + file)
                .noneMatch(output -> output.path("output_type").asText().equals("error"))
                .anyMatch(output -> output.path("data").has("image/png"));
    }
}
