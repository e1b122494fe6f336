package io.cordwood.gateway.splunk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.gateway.refusal.RefusedException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class AckChannelsTest {
    @Test
    void idsAreConsecutiveOnEachChannelOfEachTenant() {
        AckChannels channels = new AckChannels();
        assertThat(channels.next("acme", "a")).isZero();
        assertThat(channels.next("acme", "a")).isOne();
        assertThat(channels.next("acme", "b")).isZero();
        assertThat(channels.isGiven("acme", "a", 1)).isTrue();
        assertThat(channels.isGiven("acme", "a", 2)).isFalse();
        assertThat(channels.isGiven("acme", "a", -1)).isFalse();
        assertThat(channels.isGiven("acme", "b", 1)).isFalse();
        assertThat(channels.isGiven("globex", "a", 0)).isFalse();
    }

    @Test
    void aFloodOfChannelsTakesNoMoreMemory() {
        AckChannels channels = new AckChannels();
        for (int i = 0; i < 50_000; i++) {
            channels.next("acme", "channel-" + i);
        }
        assertThat(channels.size()).isLessThanOrEqualTo(10_000);
    }

    @Test
    void readsTheIdsThatAreAskedFor() {
        assertThat(HecAcks.ids("{\"x\":{\"acks\":1},\"acks\":[3,0,3]}".getBytes(UTF_8)))
                .containsExactly(0L, 3L);
        for (String bad : new String[] {
            "", "[]", "{\"acks\":1}", "{\"acks\":[\"1\"]}", "{\"acks\":[1", "{\"acks\":[99999999999999999999]}"
        }) {
            assertThatThrownBy(() -> HecAcks.ids(bad.getBytes(UTF_8))).isInstanceOf(RefusedException.class);
        }
    }

    @Property
    void anyBytesAreIdsOrRefused(@ForAll byte[] body) {
        try {
            assertThat(HecAcks.ids(body)).isNotNull();
        } catch (RefusedException e) {
            assertThat(e).hasMessageContaining("cknowledgements");
        }
    }
}
