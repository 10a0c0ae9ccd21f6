package dev.signups.fakeemail.log;

import org.jspecify.annotations.Nullable;

/** What is known of one address. Guarded by its book. */
final class Recipient {

    final String address;
    final long firstRequestMicros;
    long firstAcceptedMicros;
    int requests;
    int accepted;

    /** The sends still remembered, oldest first. */
    @Nullable Send first;

    @Nullable Send last;

    int remembered;

    Recipient(String address, long firstRequestMicros) {
        this.address = address;
        this.firstRequestMicros = firstRequestMicros;
    }

    void add(Send send) {
        if (last == null) {
            first = send;
        } else {
            last.next = send;
        }
        last = send;
        remembered++;
    }

    void forgetFirst() {
        if (first != null) {
            first = first.next;
            remembered--;
        }
        if (first == null) {
            last = null;
        }
    }
}
