package io.cordwood.catalog.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.services.FaultyHttpProxy;
import io.cordwood.services.FaultyHttpProxy.Fate;
import io.cordwood.services.HttpFaults;
import io.cordwood.services.S3Account;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import javax.management.ObjectName;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One set of promises, kept on the local disk and in a real S3 store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WarehouseFileIOIT {
    private static final int PART_BYTES = 5 << 20;

    @TempDir
    private Path directory;

    private final Random random = new Random(2);
    private Service store;
    private FaultyHttpProxy proxy;
    private WarehouseFileIO io;

    @BeforeAll
    void startStore() throws Exception {
        S3Account.useHere();
        store = TestServices.objectStore();
    }

    @AfterAll
    void stopStore() throws IOException {
        store.close();
    }

    @BeforeEach
    void open() throws IOException {
        proxy = FaultyHttpProxy.before(store.address(), 9);
        Map<String, String> properties = new HashMap<>(
                new S3Settings(Optional.of(URI.create(proxy.url())), Optional.empty(), true).properties());
        properties.put("s3.multipart.part-size-bytes", Integer.toString(PART_BYTES));
        properties.put("s3.multipart.threshold", "1.0");
        io = new WarehouseFileIO();
        io.initialize(properties);
    }

    @AfterEach
    void close() throws IOException {
        io.close();
        proxy.close();
    }

    private String location(String scheme) {
        String name = "acme/a b%20+c/" + UUID.randomUUID();
        return scheme.equals("s3")
                ? "s3://%s/%s".formatted(S3Account.BUCKET, name)
                : LocalFileIO.location(directory.resolve(name));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private void write(String location, byte[] bytes) throws IOException {
        try (PositionOutputStream out = io.newOutputFile(location).create()) {
            out.write(bytes);
        }
    }

    private void assertHolds(String location, byte[] bytes) throws IOException {
        InputFile file = io.newInputFile(location);
        assertThat(file.getLength()).isEqualTo(bytes.length);
        try (SeekableInputStream in = file.newStream()) {
            assertThat(in.readAllBytes()).isEqualTo(bytes);
            in.seek(bytes.length / 2);
            assertThat(in.read()).isEqualTo(bytes[bytes.length / 2] & 0xff);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "s3"})
    void whatIsWrittenIsRead(String scheme) throws IOException {
        String location = location(scheme);
        assertThat(io.newInputFile(location).exists()).isFalse();
        byte[] bytes = bytes(100_000);
        write(location, bytes);
        assertHolds(location, bytes);
        io.deleteFile(location);
        assertThat(io.newInputFile(location).exists()).isFalse();
        io.deleteFile(location);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "s3"})
    void objectAppearsWhenItIsComplete(String scheme) throws IOException {
        String location = location(scheme);
        byte[] bytes = bytes(3 * PART_BYTES + 7);
        PositionOutputStream out = io.newOutputFile(location).create();
        out.write(bytes, 0, 2 * PART_BYTES + 100);
        out.flush();
        assertThat(io.newInputFile(location).exists()).isFalse();
        out.write(bytes, 2 * PART_BYTES + 100, bytes.length - 2 * PART_BYTES - 100);
        assertThat(io.newInputFile(location).exists()).isFalse();
        out.close();
        assertHolds(location, bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "s3"})
    void takenNamesAndMissingObjectsAreErrors(String scheme) throws IOException {
        String location = location(scheme);
        assertThatThrownBy(() -> io.newInputFile(location).newStream().read()).isInstanceOf(NotFoundException.class);
        write(location, new byte[] {1});
        assertThatThrownBy(() -> write(location, new byte[] {2})).isInstanceOf(AlreadyExistsException.class);
        assertHolds(location, new byte[] {1});
    }

    @Test
    void uploadThatFailsLeavesNothing() throws IOException {
        String location = location("s3");
        byte[] bytes = bytes(2 * PART_BYTES);
        PositionOutputStream out = io.newOutputFile(location).create();
        out.write(bytes, 0, PART_BYTES + 1);
        proxy.let(new HttpFaults(Duration.ZERO, 1, 0, 0, 0));
        assertThatThrownBy(() -> {
                    out.write(bytes, PART_BYTES + 1, PART_BYTES - 1);
                    out.close();
                })
                .isInstanceOf(Exception.class);
        proxy.let(HttpFaults.NONE);
        assertThat(io.newInputFile(location).exists()).isFalse();
        out.close();
        assertThat(io.newInputFile(location).exists()).isFalse();
    }

    @Test
    void faultsOnTheWayChangeNoByte() throws IOException {
        proxy.let(new HttpFaults(Duration.ofMillis(1), 0.05, 0.05, 0.05, 0));
        for (int i = 0; i < 40; i++) {
            byte[] bytes = bytes(1 + random.nextInt(300_000));
            String location = location("s3");
            write(location, bytes);
            assertHolds(location, bytes);
        }
        assertThat(proxy.count(Fate.UNAVAILABLE)).isPositive();
        assertThat(proxy.count(Fate.RESET_BEFORE)).isPositive();
        assertThat(proxy.count(Fate.RESET_AFTER)).isPositive();
        assertThat(proxy.count(Fate.TRUNCATED)).isPositive();
    }

    @Test
    void requestsWithoutAUsefulAnswerAreCounted() throws Exception {
        long sent = StoreRequests.ofProcess().getSent();
        long failed = StoreRequests.ofProcess().getFailed();
        assertThat(io.newInputFile(location("s3")).exists()).isFalse();
        assertThat(StoreRequests.ofProcess().getSent()).isEqualTo(sent + proxy.requests());
        assertThat(StoreRequests.ofProcess().getFailed())
                .as("that an object is not there is an answer")
                .isEqualTo(failed);

        proxy.let(new HttpFaults(Duration.ZERO, 1, 0, 0, 0));
        assertThatThrownBy(() -> io.newInputFile(location("s3")).getLength()).isInstanceOf(Exception.class);
        long all = proxy.requests();
        assertThat(StoreRequests.ofProcess().getFailed())
                .as("each of the repetitions")
                .isEqualTo(failed + proxy.count(Fate.UNAVAILABLE))
                .isGreaterThan(failed + 1);
        assertThat(StoreRequests.ofProcess().getSent()).isEqualTo(sent + all);
        assertThat(ManagementFactory.getPlatformMBeanServer()
                        .getAttribute(new ObjectName("io.cordwood:type=store"), "Failed"))
                .isEqualTo(StoreRequests.ofProcess().getFailed());
    }

    @Test
    void readsNothingOfAStoreForLocalFiles() throws IOException {
        write(location("file"), new byte[] {1});
        assertThat(proxy.requests()).isZero();
    }
}
