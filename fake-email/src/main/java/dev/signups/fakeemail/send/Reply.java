package dev.signups.fakeemail.send;

/** Where an answer goes, once, from whatever thread. */
interface Reply {

    void with(Answer answer);

    /** There is no answer because of a bug, which is logged. */
    void failed(Throwable failure);
}
