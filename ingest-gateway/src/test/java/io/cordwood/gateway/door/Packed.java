package io.cordwood.gateway.door;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Packs bodies as clients do. */
public final class Packed {
    private Packed() {}

    public static byte[] gzip(byte[] body) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(body);
        }
        return packed.toByteArray();
    }

    public static byte[] deflate(byte[] body) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(packed)) {
            out.write(body);
        }
        return packed.toByteArray();
    }
}
