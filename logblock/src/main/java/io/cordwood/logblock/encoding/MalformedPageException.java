package io.cordwood.logblock.encoding;

/** Bytes that are not what their encoding says. The reader adds which file and column. */
public class MalformedPageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedPageException(String problem) {
        super(problem);
    }
}
