package io.cordwood.logblock.encoding;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ByteSinkTest {
    @Test
    void moreThanAnArrayHoldsIsSaid() {
        ByteSink sink = new ByteSink(16);
        sink.write(1);
        assertThatThrownBy(() -> sink.ensure(Integer.MAX_VALUE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2147483648 bytes");
    }
}
