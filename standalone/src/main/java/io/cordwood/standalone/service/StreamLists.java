package io.cordwood.standalone.service;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The syntax of lists by stream in the services' options: {@code STREAM=a,b;STREAM=c}. */
final class StreamLists {
    private StreamLists() {}

    static String join(Map<String, String> lists) {
        return new TreeMap<>(lists)
                .entrySet().stream()
                        .map(list -> list.getKey() + "=" + list.getValue())
                        .collect(Collectors.joining(";"));
    }
}
