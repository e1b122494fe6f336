package io.cordwood.gateway.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FilterPathTest {
    private static boolean wants(String parameter, String path) {
        return new FilterPath(Optional.of(parameter)).wants(path.split("\\."));
    }

    @Test
    void whatBeatsAndLogstashSend() {
        String parameter = "errors,items.*.error,items.*.status";
        assertThat(wants(parameter, "errors")).isTrue();
        assertThat(wants(parameter, "items.create.status")).isTrue();
        assertThat(wants(parameter, "items.index.error.type")).isTrue();
        assertThat(wants(parameter, "took")).isFalse();
        assertThat(wants(parameter, "items.create._id")).isFalse();
    }

    @Test
    void wildcardsAndExclusions() {
        assertThat(wants("", "took")).isTrue();
        assertThat(wants("items", "items.create._id")).isTrue();
        assertThat(wants("items.create._*", "items.create._id")).isTrue();
        assertThat(wants("items.create._*d", "items.create._index")).isFalse();
        assertThat(wants("**.type", "items.create.error.type")).isTrue();
        assertThat(wants("**.type", "items.create.error.reason")).isFalse();
        assertThat(wants("-items", "items.create._id")).isFalse();
        assertThat(wants("-items", "took")).isTrue();
        assertThat(wants("items,-**._id", "items.create._id")).isFalse();
        assertThat(wants("items.create.error.type.deeper", "items.create.error.type"))
                .isFalse();
    }

    @Property
    void anyTextIsAFilter(@ForAll String parameter) {
        assertThat(wants(parameter, "items.create.error.type")).isIn(true, false);
    }

    @Test
    void manyAsterisksDoNotTakeLong() {
        assertThat(wants("**.".repeat(1000) + "x," + "*a".repeat(2000), "items.create.error.type"))
                .isFalse();
    }
}
