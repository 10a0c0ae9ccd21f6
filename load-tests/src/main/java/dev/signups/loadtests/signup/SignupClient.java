package dev.signups.loadtests.signup;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** Signs up users with addresses that nobody else uses. */
public final class SignupClient implements OpenLoad.Request, AutoCloseable {

    private final URI users;
    private final String prefix;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /**
     * A client of one service.
     *
     * @param prefix what the addresses begin with
     */
    public SignupClient(String service, String prefix) {
        this.users = URI.create(service + "/api/users");
        this.prefix = prefix;
    }

    /** The address of an arrival. */
    public String address(int number) {
        return prefix + number + "@example.org";
    }

    @Override
    public int send(int number) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(users)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("""
                        {"email":"%s","firstName":"Ada","lastName":"Lovelace"}""".formatted(address(number))))
                .build();
        return http.send(request, BodyHandlers.discarding()).statusCode();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
