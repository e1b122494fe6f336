package io.cordwood.search.logql.template;

/** A template that is malformed or not supported, or that fails for a line. */
public final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TemplateException(String message) {
        super(message);
    }
}
