package io.cordwood.search.logql.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.cordwood.catalog.regex.Regex;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MatchingTest {
    @Test
    void aMatchThatWouldTakeLongEndsByItsCheck() {
        Pattern large = Regex.compile("(.{0,99}x){99}", 0);
        String line = "a".repeat(10_000_000);
        AtomicInteger checks = new AtomicInteger();
        Runnable check = () -> {
            if (checks.incrementAndGet() == 3) {
                throw new IllegalStateException("time is up");
            }
        };
        assertThatThrownBy(() -> Matching.run(
                        check,
                        () -> assertThat(Matching.matcher(large, line).find()).isFalse()))
                .hasMessage("time is up");
    }

    @Test
    void aCheckedMatchIsTheSameAsAnyOther() {
        String line = "ab\uD83D\uDE00 ".repeat(2_000) + "user=ann";
        Pattern pattern = Regex.compile("(\uD83D\uDE00).*user=(?P<user>\\w+)$", 0);
        AtomicInteger checks = new AtomicInteger();
        Matcher checked = Matching.call(checks::incrementAndGet, () -> Matching.matcher(pattern, line));
        Matcher plain = Matching.matcher(pattern, line);
        assertThat(checked.find()).isTrue();
        assertThat(plain.find()).isTrue();
        assertThat(checked.start()).isEqualTo(plain.start());
        assertThat(checked.group("user")).isEqualTo("ann").isEqualTo(plain.group("user"));
        assertThat(checks.get()).isPositive();
    }
}
