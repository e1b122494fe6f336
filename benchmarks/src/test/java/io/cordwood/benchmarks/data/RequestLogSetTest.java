package io.cordwood.benchmarks.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.benchmarks.run.Scratch;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RequestLogSetTest {
    @Test
    void eachTemplateIsAskedOfThreeTenantsOverTwoRanges() throws IOException {
        try (Scratch scratch = Scratch.create()) {
            List<BenchQuery> queries = RequestLogSet.queries(scratch);

            assertThat(queries).hasSize(48);
            assertThat(queries)
                    .extracting(BenchQuery::template)
                    .containsOnly("Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8");
            assertThat(queries).extracting(BenchQuery::tenant).containsOnly("1", "50", "500");
            assertThat(queries).extracting(BenchQuery::range).containsOnly("1h", "24h");
        }
    }
}
