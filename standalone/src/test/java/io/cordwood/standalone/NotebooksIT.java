package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Executes every notebook on a real stack, as a reader would; their cells assert what they say. */
@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class NotebooksIT {
    private final Path notebooks = Program.root().resolve("notebooks");

    @Test
    void everyCellRuns(@TempDir Path executed) throws Exception {
        run("--output", executed.toString()).assertCode(0);

        assertThat(Notebook.in(executed))
                .extracting(Path::getFileName)
                .isEqualTo(
                        Notebook.in(notebooks).stream().map(Path::getFileName).toList());
        for (Path file : Notebook.in(executed)) {
            Notebook.read(file).assertExecuted();
        }
    }

    @Test
    void homeWithoutAStackIsRefused(@TempDir Path home) throws Exception {
        run("--home", home.toString()).assertCode(1);
    }

    private Script.Outcome run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(notebooks.resolve("run").toString()));
        command.addAll(List.of(arguments));
        return Script.run(command, Map.of());
    }
}
