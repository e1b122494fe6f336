package io.cordwood.search.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.search.http.ApiException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OpenTailsTest {
    @Test
    void tailsAreBoundedInTotalAndOfEachTenant() {
        OpenTails open = new OpenTails(3, 2, 3);
        OpenTails.Slot first = open.enter(Optional.empty(), "acme");
        OpenTails.Slot second = open.enter(Optional.empty(), "acme");
        assertThatThrownBy(() -> open.enter(Optional.empty(), "acme"))
                .isInstanceOf(ApiException.class)
                .hasMessage("Too many tails are open of tenant 'acme': try again later");
        OpenTails.Slot other = open.enter(Optional.empty(), "globex");
        assertThatThrownBy(() -> open.enter(Optional.empty(), "initech"))
                .isInstanceOf(ApiException.class)
                .hasMessage("Too many tails are open: try again later");
        first.close();
        open.enter(Optional.empty(), "initech").close();
        second.close();
        other.close();
        assertThat(open.count()).isZero();
    }

    @Test
    void tailsOfAUserAreBoundedOverAllTenants() {
        OpenTails open = new OpenTails(9, 9, 2);
        Optional<String> user = Optional.of("ann");
        OpenTails.Slot first = open.enter(user, "acme");
        OpenTails.Slot second = open.enter(user, "globex");
        assertThatThrownBy(() -> open.enter(user, "initech"))
                .isInstanceOf(ApiException.class)
                .hasMessage("Too many tails are open of user 'ann': try again later");
        open.enter(Optional.of("bob"), "acme").close();
        open.enter(Optional.empty(), "acme").close();
        first.close();
        open.enter(user, "initech").close();
        second.close();
        assertThat(open.count()).isZero();
    }
}
