package io.cordwood.search.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.search.http.ApiException;
import org.junit.jupiter.api.Test;

class OpenTailsTest {
    @Test
    void tailsAreBoundedInTotalAndOfEachTenant() {
        OpenTails open = new OpenTails(3, 2);
        OpenTails.Slot first = open.enter("acme");
        OpenTails.Slot second = open.enter("acme");
        assertThatThrownBy(() -> open.enter("acme"))
                .isInstanceOf(ApiException.class)
                .hasMessage("Too many tails are open of tenant 'acme': try again later");
        OpenTails.Slot other = open.enter("globex");
        assertThatThrownBy(() -> open.enter("initech"))
                .isInstanceOf(ApiException.class)
                .hasMessage("Too many tails are open: try again later");
        first.close();
        open.enter("initech").close();
        second.close();
        other.close();
        assertThat(open.count()).isZero();
    }
}
