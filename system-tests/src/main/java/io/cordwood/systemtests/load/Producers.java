package io.cordwood.systemtests.load;

import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.KafkaException;

/**
 * Producers that each send numbered rows at a steady rate, and record acknowledgements in the {@link Ledger}. They
 * never send a number twice: the outcome of a row without an acknowledgement stays unknown. The first may send in
 * transactions. Thread-safe.
 */
public final class Producers implements AutoCloseable {
    private final Lab lab;
    private final NumberedRow.Maker rows;
    private final Ledger ledger;
    private final double rowsPerSecond;
    private final boolean transactions;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean paused;
    private volatile boolean stopped;
    private volatile int generation;
    private final int firstPartitions;
    private volatile int partitions;
    private int pausedThreads;

    /**
     * Starts them.
     *
     * @param rowsPerSecond rate of all producers together
     * @param partitions number of a topic's partitions that get rows
     * @param transactions whether the first sends in transactions: rows behind an open one must not be visible yet
     */
    public Producers(
            Lab lab,
            NumberedRow.Maker rows,
            Ledger ledger,
            double rowsPerSecond,
            int partitions,
            boolean transactions) {
        this.lab = lab;
        this.rows = rows;
        this.ledger = ledger;
        this.rowsPerSecond = rowsPerSecond;
        this.firstPartitions = partitions;
        this.partitions = partitions;
        this.transactions = transactions;
        for (int producer = 0; producer < ledger.producers(); producer++) {
            int number = producer;
            threads.add(Thread.ofPlatform().name("producer-" + producer).start(() -> send(number)));
        }
    }

    private void send(int producer) {
        double nanosPerRow = 1e9 * ledger.producers() / rowsPerSecond;
        long next = System.nanoTime();
        int sent = 0;
        while (sent < ledger.rowsPerProducer() && !stopped) {
            int ofGeneration = generation;
            try (Sender sender = transactions && producer == 0
                    ? new TransactionSender(lab, ledger, producer, ofGeneration, rows.seed())
                    : new PlainSender(lab, ledger, producer, ofGeneration)) {
                while (sent < ledger.rowsPerProducer() && !stopped && generation == ofGeneration) {
                    if (paused) {
                        sender.settle();
                        rest();
                        next = System.nanoTime();
                        continue;
                    }
                    next += (long) nanosPerRow;
                    LockSupport.parkNanos(next - System.nanoTime());
                    sender.send(rows.row(producer, sent++), partitions);
                }
                sender.settle();
            } catch (KafkaException e) {
                System.err.printf("producer %d starts again: %s%n", producer, e.getMessage());
            }
        }
    }

    private synchronized void rest() {
        pausedThreads++;
        notifyAll();
        try {
            while (paused && !stopped) {
                wait();
            }
        } catch (InterruptedException e) {
            stopped = true;
        } finally {
            pausedThreads--;
        }
    }

    /** Returns when no row is in flight. */
    public synchronized void pause() throws InterruptedException {
        paused = true;
        while (pausedThreads < threads.stream().filter(Thread::isAlive).count()) {
            wait(200);
        }
    }

    public synchronized void resume() {
        paused = false;
        notifyAll();
    }

    /** The topic has more partitions now. */
    public void partitions(int count) {
        partitions = count;
    }

    public int generation() {
        return generation;
    }

    /** The topic was recreated; only while paused. */
    public synchronized void topicMadeAnew() {
        partitions = firstPartitions;
        generation++;
    }

    public boolean areDone() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    @Override
    public void close() {
        stopped = true;
        resume();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
