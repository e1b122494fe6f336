package io.cordwood.options;

import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The value of an option, refused with a message that names what is expected. Immutable, thread-safe.
 *
 * @param <T> type of the value
 */
public abstract class Checked<T> implements ITypeConverter<T> {
    private final String expected;

    /** @param expected completes "'x' is not ..." */
    protected Checked(String expected) {
        this.expected = expected;
    }

    /**
     * Reads the value.
     *
     * @return empty if the text is malformed or out of range
     */
    protected abstract Optional<T> read(String text);

    /** @throws TypeConversionException if the text is malformed or out of range, with a message for the user */
    @Override
    public final T convert(String text) {
        return read(text).orElseThrow(() -> new TypeConversionException("'%s' is not %s".formatted(text, expected)));
    }
}
