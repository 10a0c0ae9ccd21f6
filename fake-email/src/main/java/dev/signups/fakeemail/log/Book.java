package dev.signups.fakeemail.log;

import dev.signups.fakeemail.log.Result.Tally;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The log between two clearings. One lock guards it all, so that counters always balance; nothing slow happens under
 * it.
 */
final class Book {

    private static final int SENDS_PER_ADDRESS = 100;

    private final int capacity;
    private final Map<String, Recipient> recipients = new HashMap<>();
    private final ArrayDeque<Send> recent = new ArrayDeque<>();
    private final Map<Tally, Long> tallies = new EnumMap<>(Tally.class);
    private long requests;
    private long ended;
    private long acceptedUnique;

    Book(int capacity) {
        this.capacity = capacity;
        for (Tally tally : Tally.values()) {
            tallies.put(tally, 0L);
        }
    }

    synchronized Send arrive(@Nullable String to, @Nullable String key, Instant at) {
        requests++;
        Recipient recipient = to == null ? null : recipient(normalised(to), at);
        var send = new Send(this, recipient, at, key);
        if (recipient != null) {
            recipient.requests++;
            remember(send, recipient);
        }
        return send;
    }

    private @Nullable Recipient recipient(String address, Instant at) {
        Recipient known = recipients.get(address);
        if (known != null || recipients.size() >= capacity) {
            return known;
        }
        var added = new Recipient(address, micros(at));
        recipients.put(address, added);
        return added;
    }

    private void remember(Send send, Recipient recipient) {
        if (recipient.remembered >= SENDS_PER_ADDRESS) {
            recipient.forgetFirst();
        }
        recipient.add(send);
        recent.add(send);
        if (recent.size() > capacity) {
            Send oldest = recent.remove();
            Recipient owner = oldest.recipient;
            if (owner != null && owner.first == oldest) {
                owner.forgetFirst();
            }
        }
    }

    synchronized void end(Send send, Result result, @Nullable String messageId, Instant at) {
        if (send.result != null) {
            throw new IllegalStateException("this send has ended already: " + send.result);
        }
        send.result = result;
        send.messageId = messageId;
        ended++;
        tallies.merge(result.tally(), 1L, Long::sum);
        Recipient recipient = send.recipient;
        if (result.tally() == Tally.ACCEPTED) {
            if (recipient == null) {
                throw new IllegalStateException("accepted without being recorded");
            }
            if (recipient.accepted++ == 0) {
                acceptedUnique++;
                recipient.firstAcceptedMicros = micros(at);
            }
        }
    }

    synchronized SendCounts counts() {
        long accepted = tally(Tally.ACCEPTED);
        return new SendCounts(
                requests,
                accepted,
                acceptedUnique,
                accepted - acceptedUnique,
                tally(Tally.REPLAYED),
                tally(Tally.FAILED),
                tally(Tally.REJECTED),
                tally(Tally.RATE_LIMITED),
                requests - ended);
    }

    private long tally(Tally tally) {
        return tallies.getOrDefault(tally, 0L);
    }

    synchronized AddressReport report(String to) {
        Recipient recipient = recipients.get(normalised(to));
        if (recipient == null) {
            return new AddressReport(to, 0, 0, null, null, List.of());
        }
        var sends = new ArrayList<AddressReport.Entry>(recipient.remembered);
        for (Send send = recipient.first; send != null; send = send.next) {
            sends.add(new AddressReport.Entry(send.arrivedAt, send.key, send.result, send.messageId));
        }
        return new AddressReport(
                recipient.address,
                recipient.requests,
                recipient.accepted,
                instant(recipient.firstRequestMicros),
                recipient.accepted == 0 ? null : instant(recipient.firstAcceptedMicros),
                sends);
    }

    /** The first request of every address; copied under the lock, so that it can be written out without it. */
    synchronized List<FirstRequest> firstRequests() {
        var all = new ArrayList<FirstRequest>(recipients.size());
        for (Recipient recipient : recipients.values()) {
            all.add(new FirstRequest(
                    recipient.address,
                    recipient.firstRequestMicros,
                    recipient.firstAcceptedMicros,
                    recipient.requests,
                    recipient.accepted));
        }
        return all;
    }

    private static String normalised(String address) {
        return address.strip().toLowerCase(Locale.ROOT);
    }

    private static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
