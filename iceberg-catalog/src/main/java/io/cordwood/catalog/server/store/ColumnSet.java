package io.cordwood.catalog.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.table.StreamColumn;
import io.cordwood.catalog.table.StreamColumnParser;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A set of columns, shared by tables with the same columns. Immutable.
 *
 * @param id hash of the text
 * @param text the columns in the form of {@link StreamColumnParser}
 */
public record ColumnSet(String id, String text) {
    /**
     * The set of these columns.
     *
     * @param columns ordered by name
     */
    public static ColumnSet of(List<StreamColumn> columns) {
        String text = StreamColumnParser.toJson(columns).toString();
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return new ColumnSet(HexFormat.of().formatHex(sha256.digest(text.getBytes(UTF_8))), text);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
