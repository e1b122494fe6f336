package io.cordwood.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A changed file is read again, as often as it takes. */
final class FileContentTest {
    private static final Logger LOG = Logger.getLogger(FileContent.class.getName());
    private static final FileTime TICK = FileTime.fromMillis(1_800_000_000_000L);

    private final List<String> logged = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(String.valueOf(line.getParameters()[1]));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @TempDir
    private Path directory;

    private Path file;
    private FileContent<String> content;
    private Optional<IOException> failure = Optional.empty();
    private int readings;

    @BeforeEach
    void read() throws IOException {
        LOG.addHandler(handler);
        LOG.setUseParentHandlers(false);
        file = directory.resolve("secret");
        write("one");
        content = new FileContent<>(file, this::whole);
    }

    @AfterEach
    void restoreLog() {
        LOG.removeHandler(handler);
        LOG.setUseParentHandlers(true);
    }

    /** In place, and always in the same tick of the clock. */
    private void write(String text) throws IOException {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, TICK);
    }

    private String whole(Path path) throws IOException {
        readings++;
        if (failure.isPresent()) {
            throw failure.get();
        }
        String text = Files.readString(path);
        if (text.startsWith("half")) {
            throw new IllegalArgumentException(text + " is not whole");
        }
        return text;
    }

    @Test
    void aFileThatDoesNotChangeIsReadOnce() {
        assertThat(content.get()).isEqualTo("one");
        assertThat(content.get()).isEqualTo("one");
        assertThat(readings).isEqualTo(1);
    }

    @Test
    void anEditInTheSameTickOfTheClockIsSeenByTheSize() throws Exception {
        write("three");
        assertThat(content.get()).isEqualTo("three");
    }

    @Test
    void aFileThatCouldNotBeReadOnceIsReadAgainWithoutAChange() throws Exception {
        write("three");
        failure = Optional.of(new IOException("Too many open files"));
        assertThat(content.get()).isEqualTo("one");
        failure = Optional.of(new AccessDeniedException(file.toString()));
        assertThat(content.get()).isEqualTo("one");

        failure = Optional.empty();
        assertThat(content.get()).isEqualTo("three");
        assertThat(logged)
                .containsExactly(
                        "java.io.IOException: Too many open files", "java.nio.file.AccessDeniedException: " + file);
    }

    @Test
    void aHalfWrittenFileIsReadAgainWhenItIsWhole() throws Exception {
        write("half of it");
        assertThat(content.get()).isEqualTo("one");
        write("all of it!");
        assertThat(content.get()).as("of the same size, in the same tick").isEqualTo("all of it!");
    }

    @Test
    void oneFailureIsLoggedOnceAndAnotherAgain() throws Exception {
        write("half");
        content.get();
        content.get();
        assertThat(logged).containsExactly("java.io.IOException: half is not whole");
        write("half two");
        content.get();
        content.get();
        assertThat(logged).hasSize(2).last().isEqualTo("java.io.IOException: half two is not whole");
    }

    @Test
    void aMissingFileIsLoggedOnceUntilItIsBack() throws Exception {
        Path elsewhere = directory.resolve("elsewhere");
        for (int times = 1; times <= 2; times++) {
            Files.move(file, elsewhere);
            assertThat(content.get()).isEqualTo("one");
            assertThat(content.get()).isEqualTo("one");
            assertThat(logged).hasSize(times).last().asString().contains("NoSuchFileException");
            Files.move(elsewhere, file);
            assertThat(content.get()).isEqualTo("one");
        }
        write("another");
        assertThat(content.get()).isEqualTo("another");
    }
}
