package io.cordwood.logblock.encoding;

/** Thrown for bytes that do not follow their encoding. The reader adds the file and the column. */
public class MalformedPageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedPageException(String problem) {
        super(problem);
    }
}
