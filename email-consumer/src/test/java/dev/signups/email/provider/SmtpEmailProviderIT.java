package dev.signups.email.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.internet.MimeMessage;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
}
