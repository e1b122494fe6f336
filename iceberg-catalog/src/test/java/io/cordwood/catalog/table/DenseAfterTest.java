package io.cordwood.catalog.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DenseAfterTest {
    private static final OptionalInt OF_THE_JOB = OptionalInt.of(30);

    private static OptionalInt days(String property) {
        return DenseAfter.days(Map.of(DenseAfter.PROPERTY, property), OF_THE_JOB);
    }

    @Test
    void aTableSaysForItself() {
        assertThat(DenseAfter.days(Map.of(), OF_THE_JOB)).isEqualTo(OF_THE_JOB);
        assertThat(DenseAfter.days(Map.of(), OptionalInt.empty())).isEmpty();
        assertThat(days("7")).hasValue(7);
        assertThat(days("0")).as("never").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "7d", "1.5", "100001", "99999999999"})
    void anythingElseIsRefused(String property) {
        assertThatThrownBy(() -> days(property))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Property cordwood.dense-after-days is '%s'; it must be a number of days from 1 to"
                                + " 100000, or 0 for never",
                        property);
    }
}
