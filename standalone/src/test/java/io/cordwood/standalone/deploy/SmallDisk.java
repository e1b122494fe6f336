package io.cordwood.standalone.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk of a fixed size, which is a file, and may be filled. Only root may mount it. For one thread. */
public final class SmallDisk implements AutoCloseable {
    /** Of so little, a file system may give nothing away. */
    private static final long FULL_BYTES = 1 << 20;

    private final Path mount;
    private final Path filling;

    private SmallDisk(Path mount) {
        this.mount = mount;
        this.filling = mount.resolve("filling");
    }

    /**
     * Makes an empty disk.
     *
     * @param directory where its file is made and it is mounted
     * @param bytes its size
     * @param owner number of the user that may write it
     */
    public static SmallDisk make(Path directory, long bytes, int owner) throws IOException, InterruptedException {
        Path image = directory.resolveSibling(directory.getFileName() + ".image");
        Files.createDirectories(directory);
        Files.deleteIfExists(image);
        HostCommand.run("truncate", "--size=" + bytes, image.toString());
        HostCommand.run(
                "mkfs.ext4", "-q", "-m", "0", "-E", "root_owner=%d:%d".formatted(owner, owner), image.toString());
        HostCommand.run("mount", "-o", "loop", image.toString(), directory.toString());
        Files.delete(directory.resolve("lost+found"));
        return new SmallDisk(directory);
    }

    /** Where it is mounted. */
    public Path path() {
        return mount;
    }

    /** Takes all that is free, until it is freed again. */
    public void fill() throws IOException, InterruptedException {
        // What one call leaves, as services write meanwhile, the next takes
        for (int part = 0; part < 10; part++) {
            long free = Files.getFileStore(mount).getUsableSpace();
            if (free == 0) {
                return;
            }
            Process process = new ProcessBuilder(
                            "dd",
                            "if=/dev/zero",
                            "of=" + filling,
                            "bs=1M",
                            "oflag=append",
                            "conv=notrunc",
                            "status=none")
                    .redirectErrorStream(true)
                    .start();
            // It ends with an error, as it is to write more than there is room for
            process.getInputStream().readAllBytes();
            process.waitFor();
        }
        long free = Files.getFileStore(mount).getUsableSpace();
        if (free >= FULL_BYTES) {
            throw new IOException("%d bytes are still free on %s".formatted(free, mount));
        }
    }

    /** Gives back what {@link #fill} took. */
    public void free() throws IOException {
        Files.deleteIfExists(filling);
    }

    /** Unmounts it. */
    @Override
    public void close() throws IOException {
        try {
            HostCommand.run("umount", mount.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while unmounting " + mount, e);
        }
    }
}
