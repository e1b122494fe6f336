package io.cordwood.query.pattern;

import java.util.Optional;

/** The templates of some lines. Immutable and thread-safe. */
public final class Templates {
    private final ParseTree tree;

    /** @param tree no longer changes */
    Templates(ParseTree tree) {
        this.tree = tree;
    }

    /** The group of the lines with a signature; empty if no template fits. */
    Optional<LogGroup> match(byte[] signature) {
        return tree.match(TokenSequence.of(signature));
    }
}
