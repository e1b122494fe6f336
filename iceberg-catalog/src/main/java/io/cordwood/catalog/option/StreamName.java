package io.cordwood.catalog.option;

import io.cordwood.catalog.tenant.StreamNames;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The name of a stream, as an option. Immutable, thread-safe. */
public final class StreamName implements ITypeConverter<String> {
    @Override
    public String convert(String name) {
        try {
            return StreamNames.checked(name);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
