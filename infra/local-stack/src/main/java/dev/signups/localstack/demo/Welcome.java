package dev.signups.localstack.demo;

import java.time.Duration;
import java.util.Locale;

/** What to look at and what to try, once everything is ready. */
final class Welcome {

    private final DemoState state;
    private final Folders folders;
    private final Console console;

    Welcome(DemoState state, Folders folders, Console console) {
        this.state = state;
        this.folders = folders;
        this.console = console;
    }

    void print(Duration startup) {
        if (state.stage() < 3) {
            printStage(startup);
            return;
        }
        boolean own = !state.settings().operatorPassword().equals(Settings.DEFAULT_PASSWORD);
        String password = own ? "from OPERATOR_PASSWORD" : Settings.DEFAULT_PASSWORD;
        String login = own ? "operator:$OPERATOR_PASSWORD" : "operator:" + password;
        console.line("""

                Ready in %.1f s. Operator's login: user operator, password %s

                  sign up               %s/signup
                  users *               %s/users
                  welcome e-mails *     %s/emails
                  the provider's dials  %s/
                  the relay *           %s/api/relay
                  PostgreSQL            psql -h 127.0.0.1 -p %d -U postgres signup
                  Kafka                 127.0.0.1:%d, topic outbox.event.user
                  logs                  %s
                  * asks for the operator's login

                Try:
                  curl -i %s/api/users -H 'Content-Type: application/json' -d '{"email":"ada@example.org","firstName":"Ada","lastName":"Lovelace"}'
                and with the id it answers:
                  curl -u %s %s/api/emails/ID/welcome_email
                """.formatted(
                        startup.toMillis() / 1000.0,
                        password,
                        url(Member.SIGNUP_SERVICE),
                        url(Member.SIGNUP_SERVICE),
                        url(Member.EMAIL_CONSUMER),
                        url(Member.FAKE_EMAIL),
                        url(Member.OUTBOX_RELAY),
                        state.port(Member.POSTGRES),
                        state.port(Member.KAFKA),
                        folders.logs(),
                        url(Member.SIGNUP_SERVICE),
                        login,
                        url(Member.EMAIL_CONSUMER)));
        console.line(
                state.detached()
                        ? "Everything goes on running; infra/demo --stop ends it."
                        : "Following the pipeline, one line per signup; Ctrl-C stops everything.");
    }

    private void printStage(Duration startup) {
        String jobs = "psql -h 127.0.0.1 -p %d -U postgres signup".formatted(state.port(Member.POSTGRES));
        console.line("""

                Ready in %.1f s: stage %d of the article, %s

                  sign up               %s/signup
                  the provider's dials  %s/
                  PostgreSQL            %s
                  logs                  %s

                Try:
                  curl -i %s/api/users -H 'Content-Type: application/json' -d '{"email":"ada@example.org","firstName":"Ada","lastName":"Lovelace"}'
                """.formatted(
                        startup.toMillis() / 1000.0,
                        state.stage(),
                        state.stage() == 1
                                ? "in which the signup waits for the provider"
                                : "in which a worker polls the table jobs",
                        url(Member.SIGNUP_SERVICE),
                        url(Member.FAKE_EMAIL),
                        state.stage() == 1 ? jobs : jobs + " -c 'select status, count(*) from jobs group by 1'",
                        folders.logs(),
                        url(Member.SIGNUP_SERVICE)));
        console.line(
                state.detached()
                        ? "Everything goes on running; infra/demo --stop ends it."
                        : "Ctrl-C stops everything.");
    }

    private String url(Member member) {
        return String.format(Locale.ROOT, "http://127.0.0.1:%d", state.port(member));
    }
}
