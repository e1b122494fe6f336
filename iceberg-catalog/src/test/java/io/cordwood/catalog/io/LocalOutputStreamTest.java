package io.cordwood.catalog.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.iceberg.io.PositionOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that cannot be written leaves nothing behind. */
class LocalOutputStreamTest {
    private static final byte[] LARGE = new byte[100_000];

    @TempDir
    private Path directory;

    @Test
    void aWriteThatFailsPublishesNothing() throws IOException {
        LocalOutputStream out = onFullDisk(0);
        assertThatThrownBy(() -> out.write(LARGE)).hasMessage("No space left on device");
        assertThat(directory).isEmptyDirectory();
        assertThatThrownBy(out::close).isInstanceOf(IOException.class).hasMessageContaining("earlier write");
        out.close();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aFlushThatFailsPublishesNothing() throws IOException {
        LocalOutputStream out = onFullDisk(0);
        out.write(1);
        assertThatThrownBy(out::flush).hasMessage("No space left on device");
        out.write(1);
        assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        assertThat(directory).isEmptyDirectory();
    }

    /** The disk has space again when the stream is closed, so only what came before is missing. */
    @Test
    void aFileWithAHoleIsNotPublished() throws IOException {
        LocalOutputStream out = onFullDisk(1);
        out.write(LARGE);
        assertThatThrownBy(() -> out.write(LARGE)).hasMessage("No space left on device");
        assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void closingThatFailsPublishesNothing() throws IOException {
        LocalOutputStream out = onFullDisk(0);
        out.write(1);
        assertThatThrownBy(out::close).hasMessage("No space left on device");
        out.close();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void anInterruptedWriteLeavesNothing() throws IOException {
        PositionOutputStream out = new LocalFileIO()
                .newOutputFile(directory.resolve("file").toString())
                .create();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> out.write(LARGE)).isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        assertThat(directory).isEmptyDirectory();
    }

    private LocalOutputStream onFullDisk(int writesBefore) throws IOException {
        Path incomplete = directory.resolve("incomplete");
        FileChannel channel = FileChannel.open(incomplete, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new LocalOutputStream(
                incomplete,
                complete -> Files.move(complete, directory.resolve("file")),
                new FailingChannel(channel, writesBefore));
    }
}
