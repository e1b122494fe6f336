package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.plan.ScannedLogBlock;
import io.cordwood.query.plan.SplitOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopNBoundTest {
    private static ScannedLogBlock at(long fromMicros, long toMicros) {
        return new ScannedLogBlock("file:///l", 1, 1, fromMicros, toMicros, new TableBinding(Map.of(), Map.of()));
    }

    @Test
    void rowsOfSeveralLogBlocksCountTogether() {
        TopNBound bound = new TopNBound(true, 10);
        bound.reached(6, 100);
        assertThat(bound.excludes(at(0, 1))).isFalse();
        bound.reached(4, 50);
        assertThat(bound.excludes(at(0, 49))).isTrue();
        assertThat(bound.excludes(at(0, 50))).isFalse();
        bound.reached(5, 200);
        assertThat(bound.excludes(at(0, 99))).isTrue();
        assertThat(bound.excludes(at(0, 100))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void neverExcludesOneOfTheFirst(boolean newest) {
        Random random = new Random(5);
        for (int i = 0; i < 500; i++) {
            int limit = random.nextInt(1, 20);
            TopNBound bound = new TopNBound(newest, limit);
            List<Long> times = new ArrayList<>();
            for (int logBlock = 0; logBlock < 10; logBlock++) {
                List<Long> rows = new ArrayList<>();
                int count = random.nextInt(1, 8);
                for (int row = 0; row < count; row++) {
                    rows.add((long) random.nextInt(50));
                }
                times.addAll(rows);
                bound.reached(count, newest ? Collections.min(rows) : Collections.max(rows));
            }
            if (times.size() < limit) {
                assertThat(bound.excludes(at(0, 50))).isFalse();
                continue;
            }
            times.sort(newest ? Collections.reverseOrder() : null);
            long last = times.get(limit - 1);
            assertThat(bound.excludes(at(last, last))).isFalse();
        }
    }

    @Test
    void oneLeads() {
        TopNBound bound = new TopNBound(false, 1);
        assertThat(bound.leads(SplitOrder.ANY)).isTrue();
        assertThat(bound.leads(SplitOrder.ANY)).isFalse();
        assertThat(bound.leads(SplitOrder.LATER)).isFalse();
        assertThat(bound.leads(SplitOrder.FIRST)).isTrue();
        assertThat(bound.leaderDone()).isNotDone();
        bound.leaderIsDone();
        assertThat(bound.leaderDone()).isDone();
    }
}
