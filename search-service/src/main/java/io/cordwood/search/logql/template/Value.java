package io.cordwood.search.logql.template;

import java.math.BigDecimal;

/** A value in a template. Immutable. */
sealed interface Value {
    record Text(String text) implements Value {}

    record Whole(long value) implements Value {
        @Override
        public String text() {
            return Long.toString(value);
        }
    }

    record Fraction(double value) implements Value {
        @Override
        public String text() {
            boolean isPlain = value == Math.rint(value) && Math.abs(value) < 1e15;
            return isPlain ? BigDecimal.valueOf((long) value).toString() : Double.toString(value);
        }
    }

    record Flag(boolean isSet) implements Value {
        @Override
        public String text() {
            return Boolean.toString(isSet);
        }
    }

    /** Its text, as the output has it. */
    String text();

    /** Whether a condition holds: neither empty nor 0. */
    default boolean isTrue() {
        return switch (this) {
            case Text(String text) -> !text.isEmpty();
            case Whole(long number) -> number != 0;
            case Fraction(double number) -> number != 0;
            case Flag(boolean isSet) -> isSet;
        };
    }

    /** Its number; of a text, the number that it reads as. @throws TemplateException if it is none */
    default double number() {
        return switch (this) {
            case Whole(long number) -> number;
            case Fraction(double number) -> number;
            case Flag(boolean isSet) -> isSet ? 1 : 0;
            case Text(String text) -> {
                try {
                    yield Double.parseDouble(text.strip());
                } catch (NumberFormatException e) {
                    throw new TemplateException("'%s' is no number".formatted(text));
                }
            }
        };
    }

    /** Its number without a fraction. */
    default long whole() {
        return this instanceof Whole(long number) ? number : (long) number();
    }
}
