package io.cordwood.logblock.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.encoding.MalformedPageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;

class PageHeadersTest {
    private static final List<PageType> TYPES = List.of(PageType.values());
    private static final List<Encoding> ENCODINGS = List.of(Encoding.values());

    @Test
    void readsWhatParquetWrites() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 2000; i++) {
            PageHeader header = header(random);
            byte[] bytes = bytes(header);
            ByteSource in = new ByteSource(bytes, 3, bytes.length);
            PageHeaders.Header read = PageHeaders.read(in);
            assertThat(in.remaining()).isEqualTo(5);
            assertThat(read.type()).contains(header.getType());
            assertThat(read.uncompressedSize()).isEqualTo(header.getUncompressed_page_size());
            assertThat(read.compressedSize()).isEqualTo(header.getCompressed_page_size());
            assertThat(read.crc()).isEqualTo(header.isSetCrc() ? Optional.of(header.getCrc()) : Optional.empty());
            if (header.isSetData_page_header()) {
                assertThat(read.values()).isEqualTo(header.getData_page_header().getNum_values());
                assertThat(read.encoding())
                        .contains(header.getData_page_header().getEncoding());
            } else if (header.isSetDictionary_page_header()) {
                assertThat(read.values())
                        .isEqualTo(header.getDictionary_page_header().getNum_values());
                assertThat(read.encoding()).contains(Encoding.PLAIN);
            } else {
                assertThat(read.encoding()).isEmpty();
            }
        }
    }

    /** Between bytes that are not its own. */
    private static byte[] bytes(PageHeader header) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(new byte[3]);
        Util.writePageHeader(header, out);
        out.write(new byte[5]);
        return out.toByteArray();
    }

    private static PageHeader header(Random random) {
        PageType type = TYPES.get(random.nextInt(TYPES.size()));
        PageHeader header = new PageHeader(type, size(random), size(random));
        if (random.nextBoolean()) {
            header.setCrc(random.nextInt());
        }
        switch (type) {
            case DATA_PAGE -> {
                DataPageHeader data = new DataPageHeader(
                        size(random), ENCODINGS.get(random.nextInt(ENCODINGS.size())), Encoding.RLE, Encoding.RLE);
                if (random.nextBoolean()) {
                    data.setStatistics(statistics(random));
                }
                header.setData_page_header(data);
            }
            case DICTIONARY_PAGE -> {
                DictionaryPageHeader dictionary = new DictionaryPageHeader(size(random), Encoding.PLAIN);
                if (random.nextBoolean()) {
                    dictionary.setIs_sorted(random.nextBoolean());
                }
                header.setDictionary_page_header(dictionary);
            }
            case DATA_PAGE_V2 -> {
                DataPageHeaderV2 data =
                        new DataPageHeaderV2(size(random), 1, 2, Encoding.PLAIN, size(random), size(random));
                data.setIs_compressed(random.nextBoolean());
                data.setStatistics(statistics(random));
                header.setData_page_header_v2(data);
            }
            case INDEX_PAGE -> {
                // It has no header of its own
            }
        }
        return header;
    }

    private static Statistics statistics(Random random) {
        Statistics statistics = new Statistics();
        statistics.setNull_count(random.nextLong());
        byte[] bound = new byte[random.nextInt(200)];
        random.nextBytes(bound);
        statistics.setMin_value(bound);
        statistics.setMax_value(bound);
        statistics.setIs_max_value_exact(random.nextBoolean());
        return statistics;
    }

    private static int size(Random random) {
        return random.nextInt() >>> 1 + random.nextInt(31);
    }

    @Test
    void passesOverFieldsThatAreAddedLater() {
        // type 0, then field 9: a list of two booleans, a map of one i32 to binary, a double, a set of a struct
        byte[] bytes = {
            0x15,
            0,
            (byte) 0x89,
            0x21,
            1,
            2,
            0x1B,
            1,
            0x58,
            4,
            2,
            'a',
            'b',
            0x17,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            0x1A,
            0x1C,
            0x13,
            7,
            0,
            0
        };
        ByteSource in = new ByteSource(bytes, 0, bytes.length);
        assertThat(PageHeaders.read(in).type()).contains(PageType.DATA_PAGE);
        assertThat(in.remaining()).isZero();
    }

    @Test
    void whatIsNoHeaderIsRefused() throws IOException {
        byte[] bytes = bytes(header(new Random(2)));
        for (int length = 3; length < bytes.length - 5; length++) {
            ByteSource cut = new ByteSource(bytes, 3, length);
            assertThatThrownBy(() -> PageHeaders.read(cut)).isInstanceOf(MalformedPageException.class);
        }
        for (byte[] wrong : new byte[][] {
            {0x1D},
            {0x18, 5},
            {
                (byte) 0xAC,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C,
                0x1C
            }
        }) {
            assertThatThrownBy(() -> PageHeaders.read(new ByteSource(wrong, 0, wrong.length)))
                    .isInstanceOf(MalformedPageException.class);
        }
    }
}
