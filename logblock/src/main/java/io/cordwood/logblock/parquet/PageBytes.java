package io.cordwood.logblock.parquet;

/** The stored bytes of a page: a part of an array, which pages that were read together share. */
public record PageBytes(byte[] array, int from, int length) {}
