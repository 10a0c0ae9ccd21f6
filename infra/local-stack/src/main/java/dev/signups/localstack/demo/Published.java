package dev.signups.localstack.demo;

/**
 * An event that a reader of committed records has seen.
 *
 * @param userId whose signup it is
 * @param committedAt when the signup was committed, in milliseconds of the epoch
 * @param publishedAt when the event became readable
 */
record Published(String userId, long committedAt, long publishedAt) {}
