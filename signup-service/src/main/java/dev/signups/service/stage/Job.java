package dev.signups.service.stage;

/** A welcome e-mail that is to be sent. */
record Job(long id, String email, String firstName) {

    @Override
    public String toString() {
        return "Job[id=" + id + "]";
    }
}
