package io.cordwood.search.page;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file of the page. Immutable, the content by convention.
 *
 * @param content its bytes
 * @param contentType its type
 * @param etag names its content, in quotes
 */
record PageFile(byte[] content, String contentType, String etag) {
    private static final int ETAG_BYTES = 12;

    /**
     * Reads a file of the class path.
     *
     * @param resource its absolute name
     * @throws IllegalStateException if there is no such file
     */
    static PageFile read(String resource) {
        try (InputStream stream = PageFile.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("The program has no file " + resource);
            }
            byte[] content = stream.readAllBytes();
            return new PageFile(content, contentType(resource), etag(content));
        } catch (IOException e) {
            throw new IllegalStateException("The file %s of the program cannot be read".formatted(resource), e);
        }
    }

    private static String contentType(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            default -> throw new IllegalArgumentException("The type of %s is unknown".formatted(name));
        };
    }

    private static String etag(byte[] content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return '"' + HexFormat.of().formatHex(hash, 0, ETAG_BYTES) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java has no SHA-256", e);
        }
    }
}
