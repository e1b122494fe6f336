package io.cordwood.query.plan;

/** A part of a scan that one reader reads. Immutable. */
public sealed interface ScanPart permits HotPart, LogBlockGroup {}
