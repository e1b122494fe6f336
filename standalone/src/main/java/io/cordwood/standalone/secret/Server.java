package io.cordwood.standalone.secret;

import java.util.Locale;

/** The servers in which an account has a password. */
enum Server {
    KAFKA,
    REDIS;

    /** Its part in the names of files. */
    String fileName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
