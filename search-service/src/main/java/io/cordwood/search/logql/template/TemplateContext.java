package io.cordwood.search.logql.template;

/** What a template is about: one line. */
public interface TemplateContext {
    /** The value of a label; empty if there is none. */
    String label(String name);

    String line();

    /** Time of the line, in nanoseconds since the epoch. */
    long nanos();
}
