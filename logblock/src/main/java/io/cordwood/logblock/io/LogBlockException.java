package io.cordwood.logblock.io;

import java.io.IOException;

/** Thrown for a file that is not a readable LogBlock or Parquet file; the message says which file, where and why. */
public class LogBlockException extends IOException {
    private static final long serialVersionUID = 1;

    public LogBlockException(String location, String problem) {
        super(location + ": " + problem);
    }

    public LogBlockException(String location, String problem, Throwable cause) {
        super(location + ": " + problem, cause);
    }
}
