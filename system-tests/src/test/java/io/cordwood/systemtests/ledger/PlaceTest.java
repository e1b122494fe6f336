package io.cordwood.systemtests.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PlaceTest {
    @Test
    void packingKeepsPlaceAndOrder() {
        Place[] ascending = {
            new Place(0, 0, 0),
            new Place(0, 0, (1L << 40) - 1),
            new Place(0, 1, 0),
            new Place(0, (1 << 14) - 1, 7),
            new Place(1, 0, 0),
            new Place(300, 5, 6)
        };
        long before = -1;
        for (Place place : ascending) {
            assertThat(Place.unpacked(place.packed())).isEqualTo(place);
            assertThat(place.packed()).isGreaterThan(before);
            before = place.packed();
        }
    }
}
