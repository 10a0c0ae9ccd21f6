package dev.signups.loadtests.experiments;

import java.io.IOException;

/** The provider's counters and dials. */
final class FakeEmail {

    private final Http http;
    private final String url;

    FakeEmail(Http http, String url) {
        this.http = http;
        this.url = url;
    }

    long accepted() throws IOException, InterruptedException {
        return Http.number(http.get(url + "/api/sends").body(), "accepted");
    }

    long duplicates() throws IOException, InterruptedException {
        return Http.number(http.get(url + "/api/sends").body(), "duplicates");
    }

    /** Requests for an address. */
    long requests(String address) throws IOException, InterruptedException {
        return Http.number(http.get(url + "/api/sends?to=" + address).body(), "requests");
    }

    long accepted(String address) throws IOException, InterruptedException {
        return Http.number(http.get(url + "/api/sends?to=" + address).body(), "accepted");
    }

    /** As a provider would be if all were well, until its process is started again. */
    void beQuick() throws IOException, InterruptedException {
        http.put(url + "/api/settings", """
                {"latencyMinMs":20,"latencyMaxMs":50,"failureRate":0}""");
    }

    /** Refuses the addresses of the pattern. */
    void refuse(String pattern) throws IOException, InterruptedException {
        http.put(url + "/api/settings", """
                {"reject422":["%s"]}""".formatted(pattern));
    }
}
