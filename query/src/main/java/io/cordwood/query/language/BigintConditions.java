package io.cordwood.query.language;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.query.language.ColumnTerm.Bound;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/** Conditions on bigint columns. Values may have a fraction or exceed 64 bits; they compare exactly. Stateless. */
final class BigintConditions {
    private static final BigDecimal MIN = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private BigintConditions() {}

    static Predicate of(ColumnTerm term) {
        return switch (term.value()) {
            case SearchValue.Exact(String text) -> {
                BigDecimal number = Numbers.parse(text, term);
                yield isInteger(number) && isBigint(number) ? term.equal(floor(number)) : Predicate.FALSE;
            }
            case SearchValue.Range range -> between(term, range);
            case SearchValue.Text _ ->
                throw term.noSuchValue(Numbers.FORMS.formatted(term.column().name()));
        };
    }

    private static Predicate between(ColumnTerm term, SearchValue.Range range) {
        Optional<BigDecimal> low = range.low().map(text -> Numbers.parse(text, term));
        Optional<BigDecimal> high = range.high().map(text -> Numbers.parse(text, term));
        boolean isAbove = low.isPresent() && low.get().compareTo(MAX) > 0;
        boolean isBelow = high.isPresent() && high.get().compareTo(MIN) < 0;
        return isAbove || isBelow
                ? Predicate.FALSE
                : term.between(
                        low.filter(BigintConditions::isBigint)
                                .map(number -> new Bound(floor(number), range.lowInclusive() && isInteger(number))),
                        high.filter(BigintConditions::isBigint)
                                .map(number -> new Bound(floor(number), range.highInclusive() || !isInteger(number))));
    }

    private static boolean isBigint(BigDecimal number) {
        return MIN.compareTo(number) <= 0 && number.compareTo(MAX) <= 0;
    }

    private static boolean isInteger(BigDecimal number) {
        return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    }

    /** The next integer at or below a number within 64 bits. */
    private static long floor(BigDecimal number) {
        boolean isFraction = (long) number.precision() - number.scale() <= 0;
        if (isFraction) {
            // Of a number like 1e-999999999 the digits would fill the memory
            return number.signum() < 0 ? -1 : 0;
        }
        return number.setScale(0, RoundingMode.FLOOR).longValueExact();
    }
}
