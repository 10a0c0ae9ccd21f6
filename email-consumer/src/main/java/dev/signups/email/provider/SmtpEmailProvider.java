package dev.signups.email.provider;

import dev.signups.email.provider.SendOutcome.Accepted;
import dev.signups.email.provider.SendOutcome.Doubt;
import dev.signups.email.provider.SendOutcome.Permanent;
import dev.signups.email.provider.SendOutcome.Retriable;
import dev.signups.email.provider.SendOutcome.Unauthorised;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.springframework.mail.MailAuthenticationException;
import org.springframework.mail.MailException;
import org.springframework.mail.MailSendException;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;

/**
 * Sends by a mail server: at least once. SMTP knows no idempotency key, so a connection that breaks between the
 * server's acceptance of DATA and our reading of its answer, or a crash before {@code SENT} is written, sends again.
 * The Message-ID is made from the key, which lets a receiver that looks at it drop the second copy.
 */
final class SmtpEmailProvider implements EmailProvider {

    private final JavaMailSender sender;
    private final String from;

    SmtpEmailProvider(JavaMailSender sender, String from) {
        this.sender = sender;
        this.from = from;
    }

    @Override
    public SendOutcome send(Email email, IdempotencyKey key) {
        String messageId = messageId(key);
        MimeMessage message;
        try {
            message = new IdentifiedMessage(sender.createMimeMessage(), messageId);
            MimeMessageHelper helper =
                    new MimeMessageHelper(message, email.html() != null, StandardCharsets.UTF_8.name());
            helper.setFrom(from);
            helper.setTo(new InternetAddress(email.to(), true));
            helper.setSubject(email.subject());
            if (email.html() == null) {
                helper.setText(email.text());
            } else {
                helper.setText(email.text(), email.html());
            }
            message.saveChanges();
        } catch (MessagingException e) {
            return new Permanent("not a message for SMTP: " + e.getClass().getSimpleName(), false);
        }
        try {
            sender.send(message);
            return new Accepted(messageId);
        } catch (MailAuthenticationException e) {
            return new Unauthorised("the mail server refused the login");
        } catch (MailSendException e) {
            Exception first = e.getMessageExceptions().length > 0 ? e.getMessageExceptions()[0] : e;
            return failure(first);
        } catch (MailException e) {
            return failure(e);
        }
    }

    @Override
    public String credentialSetting() {
        return "SMTP_USERNAME and SMTP_PASSWORD";
    }

    private static SendOutcome failure(Exception failure) {
        int reply = 0;
        for (Throwable t = failure; t != null; t = next(t)) {
            if (t instanceof AuthenticationFailedException) {
                return new Unauthorised("the mail server refused the login");
            }
            if (t instanceof ConnectException || t instanceof UnknownHostException) {
                return new Retriable("mail server not reached", null, Doubt.NOT_REACHED);
            }
            int code = SmtpReply.of(t);
            if (t instanceof SendFailedException && code >= 500) {
                return new Permanent("SMTP " + code, false);
            }
            // a refusal of a recipient is inside one that has no code
            reply = reply > 0 ? reply : code;
        }
        return new Retriable(
                reply > 0
                        ? "SMTP " + reply
                        : "mail server failed: " + failure.getClass().getSimpleName(),
                null,
                Doubt.MAY_HAVE_ACCEPTED);
    }

    private static @Nullable Throwable next(Throwable t) {
        return t instanceof MessagingException messaging && messaging.getNextException() != null
                ? messaging.getNextException()
                : t.getCause();
    }

    private static String messageId(IdempotencyKey key) {
        return "<" + HexFormat.of().formatHex(key.value().getBytes(StandardCharsets.UTF_8)) + "@signups>";
    }

    /** Keeps its Message-ID, which JavaMail otherwise makes anew whenever a message is saved. */
    private static final class IdentifiedMessage extends MimeMessage {

        private final String messageId;

        IdentifiedMessage(MimeMessage empty, String messageId) {
            super(empty.getSession());
            this.messageId = messageId;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", messageId);
        }
    }
}
