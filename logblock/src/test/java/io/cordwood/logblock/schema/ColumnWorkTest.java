package io.cordwood.logblock.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
}
