package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The notebooks as they are kept: executed from top to bottom, with plots, and nothing of the machine they ran on. */
final class NotebooksTest {
    private static final int MOST_BYTES = 200_000;

    static List<Path> notebooks() throws IOException {
        return Notebook.in(Program.root().resolve("notebooks"));
    }

    @ParameterizedTest
    @MethodSource("notebooks")
    void notebookIsKeptWithItsOutputs(Path file) throws IOException {
        Notebook notebook = Notebook.read(file);
        notebook.assertExecuted();
        assertThat(Files.size(file)).as("bytes of " + file).isLessThan(MOST_BYTES);
    }

    @ParameterizedTest
    @MethodSource("notebooks")
    void notebookNamesNoPlaceOfAMachine(Path file) throws IOException {
        assertThat(Files.readString(file))
                .doesNotContainPattern("(localhost|127\\.0\\.0\\.1):\\d")
                .doesNotContainPattern("file:/|[\" (]/(home|root|tmp|work|Users)/");
    }
}
