package io.cordwood.catalog.option;

import io.cordwood.catalog.tenant.TenantNames;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The id of a tenant, as an option. Immutable, thread-safe. */
public final class TenantId implements ITypeConverter<String> {
    @Override
    public String convert(String id) {
        int bytes = id.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > TenantNames.MAX_ID_BYTES) {
            throw new TypeConversionException(
                    "an id has 1 to %d bytes, not %d".formatted(TenantNames.MAX_ID_BYTES, bytes));
        }
        return id;
    }
}
