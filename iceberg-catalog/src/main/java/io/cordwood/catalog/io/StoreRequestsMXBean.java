package io.cordwood.catalog.io;

/** The requests of a process to object stores, since it started. */
public interface StoreRequestsMXBean {
    /** Requests, each repetition counted. */
    long getSent();

    /** Those without a useful answer: none came, or the store was too busy, failed, or refused the credentials. */
    long getFailed();
}
