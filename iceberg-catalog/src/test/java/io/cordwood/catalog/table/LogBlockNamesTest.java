package io.cordwood.catalog.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogBlockNamesTest {
    /** Kafka prints topic ids in URL-safe base64, so they may hold and end in dashes. */
    @ParameterizedTest
    @ValueSource(strings = {"p2zJcGTfR3aXjTrL0v1Q8A", "-5-6-7--R3aXjTrL0v1Q8-", "a"})
    void theLabelIsInTheName(String topicId) {
        PartitionId partition = new PartitionId(topicId, 12);
        String location = LogBlockNames.newLocation(
                "file:///w/acme/logs", (int) LocalDate.of(2026, 2, 3).toEpochDay(), partition, 100, 250);
        assertThat(location).startsWith("file:///w/acme/logs/data/day=2026-02-03/" + topicId + "-12-100-250-");
        assertThat(LogBlockNames.label(location)).contains(new LogBlockNames.Label(partition, 100, 250));
    }

    @Test
    void namesAreUnique() {
        PartitionId partition = new PartitionId("t", 0);
        assertThat(LogBlockNames.newLocation("w", 0, partition, 0, 1))
                .isNotEqualTo(LogBlockNames.newLocation("w", 0, partition, 0, 1));
    }

    @Test
    void aMergedLogBlockHasItsAgeAndNoLabel() {
        String location = LogBlockNames.newMergedLocation(
                "file:///w/acme/logs", (int) LocalDate.of(2026, 2, 3).toEpochDay(), false, 1_770_000_000_123L);
        assertThat(location).startsWith("file:///w/acme/logs/data/day=2026-02-03/merged-1770000000123-");
        assertThat(LogBlockNames.mergedMillis(location)).hasValue(1_770_000_000_123L);
        assertThat(LogBlockNames.label(location)).isEmpty();
        assertThat(LogBlockNames.isDense(location)).isFalse();
        assertThat(LogBlockNames.mergedMillis(LogBlockNames.newLocation("w", 0, new PartitionId("merged", 1), 2, 3)))
                .isEmpty();
    }

    @Test
    void aDenseLogBlockIsAMergedOne() {
        String location = LogBlockNames.newMergedLocation("file:///w/acme/logs", 0, true, 1_770_000_000_123L);
        assertThat(location).startsWith("file:///w/acme/logs/data/day=1970-01-01/dense-1770000000123-");
        assertThat(LogBlockNames.mergedMillis(location)).hasValue(1_770_000_000_123L);
        assertThat(LogBlockNames.isDense(location)).isTrue();
        assertThat(LogBlockNames.isInFolderOfDay(location)).isTrue();
        assertThat(LogBlockNames.label(location)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"w/data/00000-0-foreign.parquet", "t-0-1-2-xyz.parquet", "t-0-1-2-abc.avro", ""})
    void namesOfOthersHaveNoLabel(String location) {
        assertThat(LogBlockNames.label(location)).isEmpty();
    }
}
