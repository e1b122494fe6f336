package io.cordwood.catalog.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileIOTest {
    private final LocalFileIO io = new LocalFileIO();

    @TempDir
    Path directory;

    private String location;

    @BeforeEach
    void location() {
        location = "file://" + directory + "/~41/a b/file";
    }

    @Test
    void locationsAreUris() {
        assertThat(io.newInputFile(location).location()).isEqualTo(location);
        assertThat(io.newInputFile(directory + "/x").location()).isEqualTo("file://" + directory + "/x");
        assertThat(io.newOutputFile("file:" + directory + "/x").location()).isEqualTo("file://" + directory + "/x");
        assertThatThrownBy(() -> io.newInputFile("s3://bucket/x")).hasMessageContaining("io-impl");
        assertThatThrownBy(() -> io.newInputFile("relative/x")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFileAppearsWhenItIsComplete() throws IOException {
        try (PositionOutputStream out = io.newOutputFile(location).create()) {
            out.write(bytes("complete"));
            out.flush();
            assertThat(io.newInputFile(location).exists()).isFalse();
        }
        assertThat(read(location)).isEqualTo("complete");
        assertThat(directory.resolve("~41/a b")).isDirectoryContaining("glob:**/file");
        try (var files = Files.list(directory.resolve("~41/a b"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void createNeverReplaces() throws IOException {
        write("first", false);
        assertThatThrownBy(() -> io.newOutputFile(location).create()).isInstanceOf(AlreadyExistsException.class);
        assertThat(read(location)).isEqualTo("first");
        write("second", true);
        assertThat(read(location)).isEqualTo("second");
    }

    @Test
    void ofTwoCreatorsOneWins() throws IOException {
        PositionOutputStream loser = io.newOutputFile(location).create();
        loser.write(bytes("loser"));
        write("winner", false);
        assertThatThrownBy(loser::close).isInstanceOf(AlreadyExistsException.class);
        assertThat(read(location)).isEqualTo("winner");
    }

    @Test
    void deletes() throws IOException {
        write("x", false);
        io.deleteFile(location);
        io.deleteFile(location);
        InputFile gone = io.newInputFile(location);
        assertThat(gone.exists()).isFalse();
        assertThatThrownBy(gone::newStream).isInstanceOf(NotFoundException.class);
        assertThatThrownBy(gone::getLength).isInstanceOf(NotFoundException.class);
    }

    @Test
    void readsAndSeeksAsOnAnArray() throws IOException {
        byte[] expected = new byte[200_000];
        Random random = new Random(7);
        random.nextBytes(expected);
        try (PositionOutputStream out = io.newOutputFile(location).create()) {
            int at = 0;
            while (at < expected.length) {
                assertThat(out.getPos()).isEqualTo(at);
                if (random.nextInt(4) == 0) {
                    out.write(expected[at++]);
                } else {
                    int length = Math.min(expected.length - at, random.nextInt(90_000));
                    out.write(expected, at, length);
                    at += length;
                }
            }
        }
        assertThat(io.newInputFile(location).getLength()).isEqualTo(expected.length);
        try (SeekableInputStream in = io.newInputFile(location).newStream()) {
            for (int i = 0; i < 2_000; i++) {
                int position = random.nextInt(expected.length);
                if (random.nextBoolean()) {
                    in.seek(position);
                } else {
                    position = (int) in.getPos();
                }
                if (position < expected.length && random.nextBoolean()) {
                    assertThat(in.read()).isEqualTo(expected[position] & 0xff);
                } else {
                    int length = random.nextInt(40_000);
                    byte[] actual = in.readNBytes(length);
                    int end = Math.min(expected.length, position + length);
                    assertThat(actual).isEqualTo(java.util.Arrays.copyOfRange(expected, position, end));
                }
            }
            in.seek(expected.length);
            assertThat(in.read()).isEqualTo(-1);
            byte[] end = new byte[1000];
            assertThat(((RangeReadable) in).readTail(end, 0, 1000)).isEqualTo(1000);
            assertThat(end).isEqualTo(java.util.Arrays.copyOfRange(expected, expected.length - 1000, expected.length));
        }
    }

    private void write(String text, boolean overwrite) throws IOException {
        var file = io.newOutputFile(location);
        try (PositionOutputStream out = overwrite ? file.createOrOverwrite() : file.create()) {
            out.write(bytes(text));
        }
    }

    private String read(String from) throws IOException {
        try (SeekableInputStream in = io.newInputFile(from).newStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void filesBelowADirectoryAreListedAndDeleted() throws IOException {
        List<String> below =
                List.of("file://" + directory + "/t/data/a", "file://" + directory + "/t/data/day=1/b", location);
        String beside = "file://" + directory + "/t/data2/c";
        for (String file : below) {
            io.newOutputFile(file).create().close();
        }
        io.newOutputFile(beside).create().close();
        assertThat(io.listPrefix("file://" + directory + "/t/data/"))
                .extracting(FileInfo::location)
                .containsExactlyInAnyOrderElementsOf(below.subList(0, 2));
        assertThat(io.listPrefix("file://" + directory + "/nothing/")).isEmpty();
        io.deletePrefix("file://" + directory + "/t/data/");
        io.deletePrefix("file://" + directory + "/nothing/");
        assertThat(directory.resolve("t/data")).doesNotExist();
        assertThat(io.newInputFile(beside).exists()).isTrue();
    }

    /** Others delete while we list. */
    @Test
    void aFileThatGoesWhileItIsListedIsLeftOut() throws IOException {
        for (int i = 0; i < 10; i++) {
            io.newOutputFile("file://" + directory + "/t/" + i).create().close();
        }
        Iterator<FileInfo> files = io.listPrefix("file://" + directory + "/t/").iterator();
        files.next();
        io.deletePrefix("file://" + directory + "/t/");
        assertThat(files).isExhausted();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
