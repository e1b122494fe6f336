package io.cordwood.logblock.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ColumnWorkTest {
    @Test
    void recordingThatBeginsLaterHasIt(@TempDir Path directory) throws IOException {
        ColumnWork.begin("before", ColumnWork.Part.TERMS).commit();
        Path file = directory.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(ColumnWork.NAME).withoutThreshold();
            recording.start();
            ColumnWork.begin("log", ColumnWork.Part.SORT).commit();
            recording.stop();
            recording.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file))
                .filteredOn(event -> event.getEventType().getName().equals(ColumnWork.NAME))
                .singleElement()
                .extracting(ColumnWorkTest::column, event -> event.getString("part"))
                .containsExactly("log", "SORT");
    }

    private static String column(RecordedEvent event) {
        return event.getString("column");
    }

    /** In a JVM of its own, as others here record. */
    @Test
    void withoutARecordingFlightRecorderIsNotStarted() throws Exception {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load",
                        "-cp",
                        place(ColumnWork.class) + File.pathSeparator + place(ColumnWorkTest.class),
                        Writer.class.getName())
                .redirectErrorStream(true)
                .start();
        String loaded = new String(java.getInputStream().readAllBytes(), UTF_8);
        assertThat(java.waitFor()).as(loaded).isZero();
        assertThat(loaded).contains(ColumnWork.class.getName()).doesNotContain("jdk.jfr.internal.TypeLibrary");
    }

    private static Path place(Class<?> loaded) throws URISyntaxException {
        return Path.of(
                loaded.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) {
            ColumnWork.begin("log", ColumnWork.Part.TERMS).commit();
        }
    }
}
