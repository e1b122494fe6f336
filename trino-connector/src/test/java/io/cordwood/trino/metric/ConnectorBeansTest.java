package io.cordwood.trino.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import org.junit.jupiter.api.Test;

final class ConnectorBeansTest {
    private final ScanTotals totals = new ScanTotals();

    @Test
    void whatScansTookIsSummedUp() throws Exception {
        totals.add(Map.of("LogBlocks pruned by top-n", 2L, "bytes read", 7L));
        totals.add(Map.of("LogBlocks pruned by top-n", 3L));

        CountsBean bean = new CountsBean(totals::sums);

        assertThat(bean.getAttribute("logblocks_pruned_by_top_n")).isEqualTo(5L);
        assertThat(bean.getAttributes(new String[] {"bytes_read", "nothing"}).asList())
                .containsExactly(new Attribute("bytes_read", 7L));
        assertThat(bean.getMBeanInfo().getAttributes())
                .extracting(attribute -> attribute.getName())
                .contains("logblocks_considered", "bytes_read");
    }

    @Test
    void whatPlanningCountsIsThereBeforeTheFirstScan() {
        assertThat(totals.sums()).containsEntry("logblocks_considered", 0L).containsEntry("tables", 0L);
    }

    @Test
    void nothingCanBeSet() {
        CountsBean bean = new CountsBean(totals::sums);
        assertThatThrownBy(() -> bean.setAttribute(new Attribute("tables", 1L)))
                .isInstanceOf(AttributeNotFoundException.class);
        assertThatThrownBy(() -> bean.getAttribute("nothing")).isInstanceOf(AttributeNotFoundException.class);
    }
}
