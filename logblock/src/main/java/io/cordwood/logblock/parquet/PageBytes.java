package io.cordwood.logblock.parquet;

/** A page as it is in the file: part of an array that pages read together share. */
public record PageBytes(byte[] array, int from, int length) {}
