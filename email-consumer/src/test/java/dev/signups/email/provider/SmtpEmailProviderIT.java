package dev.signups.email.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mail.javamail.JavaMailSenderImpl;

class SmtpEmailProviderIT {

    private static final IdempotencyKey KEY = IdempotencyKey.of("welcome_email", "u-1", 0);

    private final GreenMail server = new GreenMail(ServerSetup.SMTP.dynamicPort());
    private final JavaMailSenderImpl sender = new JavaMailSenderImpl();
    private SmtpEmailProvider provider;

    @BeforeEach
    void start() {
        server.start();
        sender.setHost("127.0.0.1");
        sender.setPort(server.getSmtp().getPort());
        provider = new SmtpEmailProvider(sender, "welcome@signups.example");
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    @Test
    void sendsTextAndHtmlUnderAMessageIdMadeFromTheKey() throws Exception {
        SendOutcome first = provider.send(new Email("grace@example.com", "Welcome 😀", "text", "<p>html</p>"), KEY);
        SendOutcome second = provider.send(new Email("grace@example.com", "Welcome 😀", "text", "<p>html</p>"), KEY);
        assertThat(first).isInstanceOf(SendOutcome.Accepted.class).isEqualTo(second);
        MimeMessage[] received = server.getReceivedMessages();
        assertThat(received).hasSize(2).allSatisfy(message -> {
            assertThat(message.getMessageID()).isEqualTo(((SendOutcome.Accepted) first).messageId());
            assertThat(message.getSubject()).isEqualTo("Welcome 😀");
            assertThat(message.getContentType()).startsWith("multipart/");
            assertThat(message.getAllRecipients()).hasSize(1);
        });
    }

    @Test
    void whatIsNoAddressIsPermanent() {
        assertThat(provider.send(new Email("two words@@example.com", "Welcome", "text", null), KEY))
                .isInstanceOf(SendOutcome.Permanent.class);
    }

    @Test
    void nobodyThereIsRetriableAndCertainlyNotAccepted() {
        server.stop();
        assertThat(provider.send(new Email("grace@example.com", "Welcome", "text", null), KEY))
                .isEqualTo(new SendOutcome.Retriable("mail server not reached", null, SendOutcome.Doubt.NOT_REACHED));
    }

    @Test
    void aWrongLoginIsUnauthorised() {
        server.setUser("known", "right");
        sender.setUsername("known");
        sender.setPassword("wrong");
        Properties properties = new Properties();
        properties.put("mail.smtp.auth", "true");
        sender.setJavaMailProperties(properties);
        assertThat(provider.send(new Email("grace@example.com", "Welcome", "text", null), KEY))
                .isInstanceOf(SendOutcome.Unauthorised.class);
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT, 550 5.1.1 no such user, 550",
        "RCPT, 553 5.1.3 bad address, 553",
        ".,    554 5.7.1 refused as spam, 554",
    })
    void aRefusalFor5xxIsPermanent(String command, String answer, int code) throws IOException {
        assertThat(sendTo(command, answer)).isEqualTo(new SendOutcome.Permanent("SMTP " + code, false));
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT, 450 4.2.0 greylisted, 450",
        "DATA, 421 4.3.2 closing, 421",
        ".,    451 4.3.0 try later, 451",
    })
    void a4xxIsRetriable(String command, String answer, int code) throws IOException {
        assertThat(sendTo(command, answer))
                .isInstanceOfSatisfying(
                        SendOutcome.Retriable.class,
                        retriable -> assertThat(retriable.reason()).isEqualTo("SMTP " + code));
    }

    @Test
    void aConnectionCutBeforeTheAnswerToTheMessageIsInDoubt() throws IOException {
        assertThat(sendTo(".", "cut"))
                .isInstanceOfSatisfying(
                        SendOutcome.Retriable.class,
                        retriable -> assertThat(retriable.doubt()).isEqualTo(SendOutcome.Doubt.MAY_HAVE_ACCEPTED));
    }

    private SendOutcome sendTo(String command, String answer) throws IOException {
        try (ScriptedSmtpServer scripted = new ScriptedSmtpServer(Map.of(command, answer))) {
            sender.setPort(scripted.port());
            return provider.send(new Email("grace@example.com", "Welcome", "text", null), KEY);
        }
    }
}
