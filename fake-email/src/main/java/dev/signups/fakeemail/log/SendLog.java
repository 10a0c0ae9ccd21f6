package dev.signups.fakeemail.log;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The judge: counts every send and remembers what each address was sent. The counts are exact; when there is no room
 * for another address its send must be refused ({@link Send#isUnrecorded}), never forgotten.
 */
@Component
public class SendLog {

    private final int capacity;
    private volatile Book book;

    @Autowired
    SendLog(LogProperties properties) {
        this(properties.effectiveCapacity());
    }

    SendLog(int capacity) {
        this.capacity = capacity;
        this.book = new Book(capacity);
    }

    /** Opens the entry of a send; {@code to} is null when no address could be read. */
    public Send arrive(@Nullable String to, @Nullable String key, Instant at) {
        return book.arrive(to, key, at);
    }

    public SendCounts counts() {
        return book.counts();
    }

    AddressReport report(String to) {
        return book.report(to);
    }

    List<FirstRequest> firstRequests() {
        return book.firstRequests();
    }

    /** Starts a new book; sends still in flight are entered in the old one, and so not counted. */
    void clear() {
        book = new Book(capacity);
    }
}
