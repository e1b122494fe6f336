package io.cordwood.record.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** What the check of tokens costs a record: {@code main(tenants, rounds)}. CPU time of one thread. */
public final class TokenBenchmark {
    private static final int RECORDS = 200_000;
    private static final int FORGED = 2000;
    private static final String STREAM = "logs";

    private final Issuer issuer = new Issuer();
    private final List<KafkaRecord> records = new ArrayList<>();
    private final List<KafkaRecord> forged = new ArrayList<>();

    private TokenBenchmark(int tenants) {
        List<byte[]> tokens = new ArrayList<>();
        for (int i = 0; i < tenants; i++) {
            tokens.add(issuer.writer("tenant-" + i, Issuer.START.plusSeconds(3600)));
        }
        Random random = new Random(1);
        for (int i = 0; i < RECORDS; i++) {
            int tenant = random.nextInt(tenants);
            byte[] value = "{\"level\":\"info\",\"n\":%d,\"message\":\"request %d done in %d ms\"}"
                    .formatted(i, i * 7, i % 100)
                    .getBytes(UTF_8);
            // As the consumer gives it, each record has an array of its own
            byte[] token = tokens.get(tenant).clone();
            records.add(new KafkaRecord(i, Issuer.micros(Issuer.START), ("tenant-" + tenant).getBytes(UTF_8), value)
                    .withToken(token));
            if (i < FORGED) {
                byte[] bad = token.clone();
                for (int at = bad.length - 40; at < bad.length - 2; at++) {
                    bad[at] = (byte) ('A' + random.nextInt(26));
                }
                forged.add(records.getLast().withToken(bad));
            }
        }
        System.out.printf("%d tenants, tokens of %d bytes%n", tenants, tokens.getFirst().length);
    }

    private void run() throws UndecodableRecordException {
        measure("without", new RecordDecoder(DecodingPolicy.DEFAULT));
        RecordDecoder checking =
                new RecordDecoder(DecodingPolicy.DEFAULT.withRequireToken(true), Optional.of(new TokenCheck(issuer)));
        measure("first use", checking);
        measure("with", checking);
        long start = cpuNanos();
        int refused = 0;
        for (KafkaRecord record : forged) {
            try {
                checking.tenant(STREAM, record);
            } catch (UndecodableRecordException e) {
                refused++;
            }
        }
        report("forged, each another", "tenant", start, refused);
    }

    private void measure(String what, RecordDecoder decoder) throws UndecodableRecordException {
        long start = cpuNanos();
        int length = 0;
        for (KafkaRecord record : records) {
            length += decoder.tenant(STREAM, record).length();
        }
        report(what, "tenant", start, records.size());
        RowBuffer buffer = new RowBuffer();
        start = cpuNanos();
        for (KafkaRecord record : records) {
            decoder.decode(decoder.tenant(STREAM, record), record, buffer);
        }
        report(what, "tenant and decode", start, records.size());
        if (length == 0) {
            throw new AssertionError();
        }
    }

    private static void report(String what, String how, long start, int count) {
        System.out.printf("%-22s %-18s %8.0f ns/record%n", what, how, (double) (cpuNanos() - start) / count);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    public static void main(String[] args) throws Exception {
        TokenBenchmark benchmark = new TokenBenchmark(args.length > 0 ? Integer.parseInt(args[0]) : 1000);
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        for (int round = 1; round <= rounds; round++) {
            System.out.println("round " + round);
            benchmark.run();
        }
    }
}
