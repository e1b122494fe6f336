package io.cordwood.record.buffer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.assemble.NewColumn;
import io.cordwood.record.assemble.RowAssembler;
import io.cordwood.record.decode.Decoding;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.decode.Tables;
import io.cordwood.record.policy.AcceptanceWindow;
import io.cordwood.record.policy.DecodingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettledMembersTest {
    private static final int MAX_FIELDS = 5;
    private static final DecodingPolicy POLICY = new DecodingPolicy(
            "",
            AcceptanceWindow.DEFAULT,
            DecodingPolicy.DEFAULT.tenantWindows(),
            java.util.Map.of(),
            MAX_FIELDS,
            false);

    private final RecordDecoder decoder = new RecordDecoder(POLICY);
    private final RowAssembler assembler = new RowAssembler(POLICY, "logs");
    private final RowBuffer buffer = new RowBuffer();
    private LogBlockSchema table = Tables.BASE;
    private SettledMembers settled = SettledMembers.NONE;
    private long offset;

    @Test
    void whatTheTableWasAskedForIsSettled() throws Exception {
        add("{\"a\":1,\"b\":\"x\"}");
        assertThat(hasUnsettled(0)).isTrue();
        ask(0);
        assertThat(hasUnsettled(0)).isFalse();
        add("{\"b\":7,\"a\":2}");
        assertThat(hasUnsettled(0)).isFalse();
        add("{\"a\":1,\"c\":true}");
        assertThat(hasUnsettled(0)).isTrue();
        assertThat(hasUnsettled(2)).isTrue();
        assertThat(hasUnsettled(3)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{\"ts\":1}", "{\"_a\":1,\"$b\":2.5,\"attributes.c\":true}", "{\"a\":NaN,\"b\":null}"})
    void whatHasNoColumnInAnyTableIsSettledOnceThereIsATable(String value) throws Exception {
        add(value);
        assertThat(hasUnsettled(0)).isTrue();
        settled = assembler.settled(table, new SeenMembers(settled));
        assertThat(hasUnsettled(0)).isFalse();
        add("{\"_kafka_offset\":2.5}");
        assertThat(hasUnsettled(0)).isFalse();
    }

    @Test
    void aFractionOfABigintColumnIsNot() throws Exception {
        add("{\"a\":1}");
        ask(0);
        add("{\"a\":1.5}");
        assertThat(hasUnsettled(1)).isTrue();
        ask(1);
        assertThat(hasUnsettled(0)).isFalse();
        assertThat(table.column("a.double")).isPresent();
    }

    @Test
    void whatWasRefusedIs() throws Exception {
        add("{\"a b\":1,\"a_x20b\":2}");
        ask(0);
        assertThat(table.column("a_x20b")).isEmpty();
        assertThat(hasUnsettled(0)).isFalse();
        add("{\"c\":1}");
        ask(1);
        assertThat(hasUnsettled(0)).isFalse();
    }

    @Test
    void aFullTableIsAskedForTwinsAlone() throws Exception {
        add("{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1}");
        ask(0);
        assertThat(hasUnsettled(0)).isFalse();
        add("{\"g\":1,\"h\":2.5}");
        assertThat(hasUnsettled(0)).isFalse();
        add("{\"a\":1.5}");
        assertThat(hasUnsettled(0)).isTrue();
    }

    @Test
    void namesWithoutColumnAreForgottenBeforeTheyAreTooMany() throws Exception {
        for (int round = 0; round < 4; round++) {
            String prefix = "n" + round + "_";
            add(IntStream.range(0, 400)
                    .mapToObj(name -> "\"%s%d\":1".formatted(prefix, name))
                    .collect(Collectors.joining(",", "{", "}")));
            settled = SettledMembers.of(Tables.BASE, false, seen(round));
            assertThat(hasUnsettled(round)).isFalse();
        }
        assertThat(hasUnsettled(0)).as("those of the first rounds").isTrue();
    }

    /** Whether it is asked is decided by other code than what is asked for: both must find the same. */
    @Test
    void nothingIsAskedForInVainNorLeftOut() throws Exception {
        Random random = new Random(26);
        String[] names = {"a", "b", "c", "a.double", "c.double", "e f", "e_x20f", "_g", "h"};
        String[] values = {"1", "2.5", "\"x\"", "true", "[1]", "18446744073709551616", "NaN", "null"};
        for (int round = 0; round < 2000; round++) {
            if (round % 20 == 0) {
                table = Tables.BASE;
                settled = SettledMembers.NONE;
            }
            int from = buffer.rowCount();
            int rows = random.nextInt(1, 4);
            for (int row = 0; row < rows; row++) {
                add(IntStream.range(0, random.nextInt(1, 4))
                        .mapToObj(any -> "\"%s\":%s"
                                .formatted(names[random.nextInt(names.length)], values[random.nextInt(values.length)]))
                        .collect(Collectors.joining(",", "{", "}")));
            }
            boolean needsColumns =
                    !assembler.missingColumns(table, List.of(buffer), from).isEmpty();
            if (needsColumns) {
                assertThat(hasUnsettled(from)).isTrue();
            }
            if (hasUnsettled(from)) {
                SeenMembers seen = seen(from);
                assertThat(assembler.missingColumns(table, seen, from))
                        .isEqualTo(assembler.missingColumns(table, List.of(buffer), from));
                ask(from);
                assertThat(hasUnsettled(from)).isFalse();
            }
            if (buffer.rowCount() > 100) {
                buffer.clear();
                offset = 0;
            }
        }
    }

    @Test
    void membersOfEarlierRowsCanBeLeftOut() throws Exception {
        add("{\"a\":1,\"b\":1}");
        add("{\"b\":2,\"c\":1}");
        SeenMembers seen = seen(0);
        assertThat(assembler.missingColumns(Tables.BASE, seen, 1))
                .extracting(NewColumn::name)
                .containsExactly("b", "c");
        assertThat(assembler.missingColumns(Tables.BASE, seen, 2)).isEmpty();
    }

    @Test
    void aRowWithVeryManyNamesTakesBoundedMemory() throws Exception {
        add(IntStream.range(0, 100_000).mapToObj("\"n%d\":1"::formatted).collect(Collectors.joining(",", "{", "}")));
        SeenMembers seen = seen(0);
        assertThat(seen.names().count()).isEqualTo(1000);
        ask(0);
        assertThat(hasUnsettled(0)).isFalse();
    }

    private void add(String value) throws UndecodableRecordException {
        decoder.decode(
                "acme",
                new KafkaRecord(offset++, Decoding.APPENDED, "acme".getBytes(UTF_8), value.getBytes(UTF_8)),
                buffer);
    }

    private boolean hasUnsettled(int fromRow) {
        boolean unsettled = buffer.unsettledFrom(fromRow, settled).isPresent();
        // The same where the rows are in columns
        RowBuffer copy = RowBuffer.fromChunk(buffer.toChunk());
        assertThat(copy.unsettledFrom(fromRow, settled).isPresent()).isEqualTo(unsettled);
        return unsettled;
    }

    private SeenMembers seen(long fromOffset) {
        SeenMembers seen = new SeenMembers(settled);
        seen.add(buffer, fromOffset);
        return seen;
    }

    private void ask(long fromOffset) {
        SeenMembers seen = seen(fromOffset);
        List<NewColumn> missing = new ArrayList<>(assembler.missingColumns(table, seen, fromOffset));
        table = Tables.widened(table, missing);
        settled = assembler.settled(table, seen);
    }
}
