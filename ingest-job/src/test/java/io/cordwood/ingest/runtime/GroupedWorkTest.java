package io.cordwood.ingest.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupedWorkTest {
    @Test
    void whoComesFirstPreparesThoseBehindIt() throws Exception {
        List<List<Integer>> groups = new ArrayList<>();
        GroupedWork<Integer> work = new GroupedWork<>(groups::add);
        for (int item = 0; item < GroupedWork.SIZE + 2; item++) {
            work.add(item);
        }
        work.prepare(0);
        assertThat(groups).hasSize(1);
        assertThat(groups.getFirst()).hasSize(GroupedWork.SIZE);
        work.prepare(1);
        assertThat(groups).as("prepared along with the first").hasSize(1);
        work.prepare(GroupedWork.SIZE + 1);
        assertThat(groups.getLast()).isEqualTo(List.of(GroupedWork.SIZE, GroupedWork.SIZE + 1));
    }

    @Test
    void anErrorIsThatOfEachItemOfItsGroup() throws Exception {
        GroupedWork<String> work = new GroupedWork<>(group -> {
            throw new NoClassDefFoundError("missing");
        });
        work.add("a");
        work.add("b");
        assertThatThrownBy(() -> work.prepare("a")).isInstanceOf(NoClassDefFoundError.class);
        assertThatThrownBy(() -> work.prepare("b")).isInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void anItemThatNobodyAddedIsRefused() {
        GroupedWork<String> work = new GroupedWork<>(group -> {});
        assertThatThrownBy(() -> work.prepare("a")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSlowGroupHoldsUpNeitherOthersNorAnInterrupt() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        GroupedWork<Integer> work = new GroupedWork<>(group -> {
            if (group.contains(0)) {
                begun.countDown();
                await(slow);
            }
        });
        for (int item = 0; item < 2 * GroupedWork.SIZE; item++) {
            work.add(item);
        }
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<?> first = threads.submit(() -> prepare(work, 0));
            begun.await();
            work.prepare(GroupedWork.SIZE);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> work.prepare(1)).isInstanceOf(InterruptedException.class);
            assertThat(first.isDone()).isFalse();
            slow.countDown();
            first.get();
        }
    }

    private static Void prepare(GroupedWork<Integer> work, int item) throws InterruptedException {
        work.prepare(item);
        return null;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
