package io.cordwood.trino;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.cordwood.catalog.io.LocalFileIO;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What can happen to a LogBlock in storage. */
enum Damage {
    GONE {
        @Override
        void to(Path file) throws IOException {
            Files.delete(file);
        }
    },
    EMPTY {
        @Override
        byte[] of(byte[] bytes) {
            return new byte[0];
        }
    },
    TRUNCATED {
        @Override
        byte[] of(byte[] bytes) {
            return Arrays.copyOf(bytes, bytes.length / 2);
        }
    },
    BIT_IN_DATA_PAGES {
        @Override
        byte[] of(byte[] bytes) {
            for (int at = 4; at < bytes.length / 4; at++) {
                bytes[at] ^= 16;
            }
            return bytes;
        }
    },
    BIT_IN_PAGE_INDEXES {
        @Override
        byte[] of(byte[] bytes) {
            bytes[text(bytes).lastIndexOf("CWTC") - 20] ^= 4;
            return bytes;
        }
    },
    BIT_IN_FOOTER {
        @Override
        byte[] of(byte[] bytes) {
            bytes[text(bytes).lastIndexOf("tenant_id") + 3] ^= 1;
            return bytes;
        }
    },
    BIT_IN_HOT_INDEX {
        @Override
        byte[] of(byte[] bytes) {
            return flipped(bytes, "hot");
        }
    },
    BITS_IN_COLD_INDEX {
        @Override
        byte[] of(byte[] bytes) {
            return flipped(bytes, "cold");
        }
    },
    NEWER_INDEX {
        @Override
        byte[] of(byte[] bytes) {
            return withNewerVersion(bytes, "cordwood.index.version");
        }
    },
    NEWER_FORMAT {
        @Override
        byte[] of(byte[] bytes) {
            return withNewerVersion(bytes, "cordwood.logblock.version");
        }
    };

    void to(Path file) throws IOException {
        Files.write(file, of(Files.readAllBytes(file)));
    }

    void to(String location) throws IOException {
        to(LocalFileIO.path(location));
    }

    byte[] of(byte[] bytes) {
        throw new UnsupportedOperationException();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }

    private static byte[] flipped(byte[] bytes, String part) {
        Matcher place = Pattern.compile("cordwood\\.index\\." + part + ".{1,4}?(\\d+):(\\d+)", Pattern.DOTALL)
                .matcher(text(bytes));
        if (!place.find()) {
            throw new IllegalArgumentException("no index");
        }
        int start = Integer.parseInt(place.group(1));
        int end = start + Integer.parseInt(place.group(2));
        for (int at = start; at < end; at += 97) {
            bytes[at] ^= 1;
        }
        return bytes;
    }

    /** A newer writer's file has a check of its own, or none. */
    private static byte[] withNewerVersion(byte[] bytes, String key) {
        String text = text(bytes);
        bytes[text.lastIndexOf("CWTC")] = 'X';
        Matcher version = Pattern.compile("\\d").matcher(text);
        if (!version.find(text.lastIndexOf(key) + key.length())) {
            throw new IllegalArgumentException("no " + key);
        }
        bytes[version.start()] = '9';
        return bytes;
    }
}
