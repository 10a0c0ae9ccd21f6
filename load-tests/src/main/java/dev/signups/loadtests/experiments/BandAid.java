package dev.signups.loadtests.experiments;

import java.util.Map;

/** What the article tries on stage 1 before it gives up on it. */
enum BandAid {
    VIRTUAL_THREADS("virtual threads", "true", "", "0", "false"),
    TIME_LIMIT("time-out of 2.5 s", "false", "2500ms", "0", "false"),
    BULKHEAD("bulkhead of 100", "false", "", "100", "false"),
    BREAKER("time-out of 2.5 s and breaker", "false", "2500ms", "0", "true");

    private final String label;
    private final String virtualThreads;
    private final String timeLimit;
    private final String bulkhead;
    private final String breaker;

    BandAid(String label, String virtualThreads, String timeLimit, String bulkhead, String breaker) {
        this.label = label;
        this.virtualThreads = virtualThreads;
        this.timeLimit = timeLimit;
        this.bulkhead = bulkhead;
        this.breaker = breaker;
    }

    String label() {
        return label;
    }

    /** For the service's environment. */
    Map<String, String> settings() {
        return Map.of(
                "SPRING_THREADS_VIRTUAL_ENABLED", virtualThreads,
                "SIGNUP_STAGE_PROVIDER_TIMELIMIT", timeLimit,
                "SIGNUP_STAGE_PROVIDER_BULKHEAD", bulkhead,
                "SIGNUP_STAGE_PROVIDER_BREAKER", breaker);
    }
}
