package dev.signups.fakeemail.log;

/** One address of the bulk answer; times are microseconds since the epoch, 0 if never accepted. */
record FirstRequest(String address, long firstRequestMicros, long firstAcceptedMicros, int requests, int accepted) {

    /** No address in logs. */
    @Override
    public String toString() {
        return "FirstRequest[requests=" + requests + ", accepted=" + accepted + "]";
    }
}
