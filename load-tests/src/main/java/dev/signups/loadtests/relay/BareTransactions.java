package dev.signups.loadtests.relay;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The least that a row can take on this machine: Kafka transactions of an event and a position with nothing before them,
 * neither a log to read nor a position to compare.
 */
final class BareTransactions {

    private static final byte[] EVENT = new byte[300];
    private static final byte[] POSITION = new byte[60];

    private BareTransactions() {}

    /** From the begin of a transaction to the acknowledgement of its commit, at a constant rate. */
    static LatencyProbe.Latency measure(Stand stand, int rate, Duration warmUp, Duration time)
            throws InterruptedException, ExecutionException {
        Topic.create(stand, "bare.user");
        Topic.create(stand, "bare.position");
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        stand.bootstrapServers(),
                        "transactional.id",
                        "bare",
                        "acks",
                        "all",
                        "linger.ms",
                        20,
                        "compression.type",
                        "lz4"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            int warm = Math.toIntExact(rate * warmUp.toMillis() / 1000);
            int counted = Math.toIntExact(rate * time.toMillis() / 1000);
            double[] took = new double[counted];
            long begin = System.nanoTime();
            for (int i = 0; i < warm + counted; i++) {
                LatencyProbe.awaitTurn(begin, i, rate);
                long start = System.nanoTime();
                producer.beginTransaction();
                byte[] key = {(byte) (i % 50)};
                var _ = producer.send(new ProducerRecord<>("bare.user", key, EVENT));
                var _ = producer.send(new ProducerRecord<>("bare.position", 0, key, POSITION));
                producer.commitTransaction();
                if (i >= warm) {
                    took[i - warm] = (System.nanoTime() - start) / 1e6;
                }
            }
            double achieved = (warm + counted) / ((System.nanoTime() - begin) / 1e9);
            Arrays.sort(took);
            return LatencyProbe.Latency.of(achieved, took, 0);
        }
    }
}
