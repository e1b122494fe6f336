package io.cordwood.trino.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.trino.spi.ErrorType;
import io.trino.spi.StandardErrorCode;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueryErrorsTest {
    @ParameterizedTest
    @EnumSource
    void everyFailureHasACodeOfItsOwn(QueryError error) {
        TrinoException failure = QueryErrors.translated(new QueryException(error, "why"));
        assertThat(failure).hasMessageStartingWith("why").hasCauseInstanceOf(QueryException.class);
        assertThat(failure.getErrorCode()).isNotEqualTo(StandardErrorCode.GENERIC_INTERNAL_ERROR.toErrorCode());
        assertThat(failure.getErrorCode().getType() == ErrorType.INTERNAL_ERROR)
                .isEqualTo(error == QueryError.INTERNAL_ERROR);
        assertThat(Stream.of(QueryError.values())
                        .filter(other -> QueryErrors.translated(new QueryException(other, ""))
                                .getErrorCode()
                                .equals(failure.getErrorCode())))
                .containsExactly(error);
    }

    @Test
    void adviceNamesSettingsAndStatementsOfTheEngine() {
        assertThat(QueryErrors.translated(new QueryException(QueryError.KAFKA_UNAVAILABLE, "no broker")))
                .hasMessageStartingWith("no broker.")
                .hasMessageContaining("hot_tail");
        assertThat(QueryErrors.translated(new QueryException(QueryError.HOT_TIER_TOO_LARGE, "more than 5 bytes")))
                .hasMessageStartingWith("more than 5 bytes:")
                .hasMessageContaining("hot_max_size");
        assertThat(QueryErrors.translated(new QueryException(QueryError.FLUSH_TIMEOUT, "not within 3m")))
                .hasMessageStartingWith("not within 3m.")
                .hasMessageContaining("delete_flush_timeout");
        assertThat(QueryErrors.translated(new QueryException(QueryError.OUTCOME_UNKNOWN, "not known yet")))
                .hasMessageStartingWith("not known yet:")
                .hasMessageContaining("cordwood.system.deletions");
    }

    @Test
    void futuresFailInTheEnginesTerms() {
        CompletableFuture<String> failed = CompletableFuture.supplyAsync(() -> {
            throw new QueryException(QueryError.KAFKA_ERROR, "gone");
        });
        assertThatThrownBy(QueryErrors.translating(failed)::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(TrinoException.class)
                .hasMessage("gone");
        assertThat(QueryErrors.translating(CompletableFuture.completedFuture(1)))
                .isCompletedWithValue(1);
    }

    @Test
    void whatAnObjectOfTheEngineThrowsIsTranslated() {
        ConnectorPageSourceProviderFactory failing =
                QueryErrors.translating(ConnectorPageSourceProviderFactory.class, () -> {
                    throw new QueryException(QueryError.KAFKA_ERROR, "no broker");
                });
        assertThatThrownBy(failing::createPageSourceProvider)
                .isInstanceOf(TrinoException.class)
                .hasMessage("no broker");
    }

    @Test
    void elementsThatAreReadLaterFailInTheEnginesTerms() {
        Iterable<Integer> elements = QueryErrors.translating(() -> List.of(1, 0).stream()
                .map(each -> {
                    if (each == 0) {
                        throw new QueryException(QueryError.CATALOG_ERROR, "down");
                    }
                    return each;
                })
                .iterator());
        assertThatThrownBy(() -> elements.forEach(each -> assertThat(each).isEqualTo(1)))
                .isInstanceOf(TrinoException.class)
                .hasMessageStartingWith("down")
                .hasMessageContaining("cordwood.catalog-uri");
        assertThat(QueryErrors.translating(List.of(1, 2))).containsExactly(1, 2);
    }
}
