package dev.signups.fakeemail.log;

/**
 * The counters at one instant. They balance: {@code requests = accepted + replayed + failed + rejected + rateLimited +
 * inFlight} and {@code accepted = acceptedUnique + duplicates}.
 *
 * @param requests sends that arrived
 * @param accepted mails taken, whatever became of the answer
 * @param acceptedUnique addresses with at least one mail taken
 * @param duplicates mails taken for an address that had one already, under another key or none
 * @param replayed sends answered from the memory of keys
 * @param failed sends answered 5xx without being taken
 * @param rejected sends answered 4xx other than 429
 * @param rateLimited sends answered 429
 * @param inFlight sends whose fate is not yet known
 */
public record SendCounts(
        long requests,
        long accepted,
        long acceptedUnique,
        long duplicates,
        long replayed,
        long failed,
        long rejected,
        long rateLimited,
        long inFlight) {}
