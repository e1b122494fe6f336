package io.cordwood.options;

import java.util.Optional;

/** {@code true} or {@code false}, for an option that takes a value. Immutable, thread-safe. */
public final class TrueOrFalse extends Checked<Boolean> {
    TrueOrFalse() {
        super("true or false");
    }

    @Override
    protected Optional<Boolean> read(String text) {
        return switch (text) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}
