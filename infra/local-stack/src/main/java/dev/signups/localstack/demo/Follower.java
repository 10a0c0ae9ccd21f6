package dev.signups.localstack.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;

/**
 * Follows signups through the pipeline from outside, as any subscriber could: when each event becomes readable in
 * Kafka, and when the consumer's ledger says that the provider has taken the e-mail.
 */
final class Follower implements AutoCloseable {

    private static final long LOOK_MILLIS = 100;

    private final LinkedBlockingQueue<Published> arrived;
    private final PublishedReader reader;
    private final Deliveries deliveries;
    private final PipelineLog log;
    private final Watch watch;

    private Follower(
            LinkedBlockingQueue<Published> arrived,
            PublishedReader reader,
            Deliveries deliveries,
            PipelineLog log,
            Watch watch) {
        this.arrived = arrived;
        this.reader = reader;
        this.deliveries = deliveries;
        this.log = log;
        this.watch = watch;
    }

    /** Begins to read at the end of the topic, so that every signup from now on is seen. */
    static Follower open(StateFile stateFile, DemoState state, Console console) {
        LinkedBlockingQueue<Published> arrived = new LinkedBlockingQueue<>(PipelineLog.LIMIT);
        PublishedReader reader = new PublishedReader(state.port(Member.KAFKA), arrived);
        reader.start();
        return new Follower(
                arrived,
                reader,
                new Deliveries("jdbc:postgresql://127.0.0.1:" + state.port(Member.POSTGRES) + "/email", console::line),
                new PipelineLog(console::line, System.currentTimeMillis()),
                new Watch(stateFile, console));
    }

    /** Goes on until it is told to end. */
    void follow(BooleanSupplier ended) {
        while (!ended.getAsBoolean()) {
            List<Published> batch = new ArrayList<>();
            arrived.drainTo(batch);
            batch.forEach(log::published);
            deliveries.of(log.waiting()).forEach(log::settled);
            if (!ended.getAsBoolean()) {
                log.tick(System.currentTimeMillis());
                watch.look();
            }
            Waiting.millis(LOOK_MILLIS);
        }
    }

    @Override
    public void close() {
        reader.close();
        deliveries.close();
    }
}
