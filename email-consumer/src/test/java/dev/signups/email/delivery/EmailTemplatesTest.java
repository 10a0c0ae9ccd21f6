package dev.signups.email.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.email.provider.Email;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmailTemplatesTest {

    private final EmailTemplates templates = new EmailTemplates();

    @Test
    void escapesInHtmlAndNotInText() {
        Email email = templates.render(
                "welcome_email",
                "a@example.com",
                Map.of("firstName", "<script>alert(1)</script>", "lastName", "O'Brien & Söhne"));
        assertThat(email.html())
                .contains("&lt;script&gt;")
                .doesNotContain("<script>")
                .contains("O&#39;Brien &amp; Söhne");
        assertThat(email.text()).contains("<script>alert(1)</script> O'Brien & Söhne");
    }

    @Test
    void neverBreaksTheSubject() {
        Email email = templates.render(
                "welcome_email", "a@example.com", Map.of("firstName", "Eve\r\nBcc: all@example.com", "lastName", ""));
        assertThat(email.subject()).isEqualTo("Welcome, Eve Bcc: all@example.com!");
    }

    @Test
    void greetsThoseWithoutAName() {
        Email email = templates.render("welcome_email", "a@example.com", Map.of("firstName", "", "lastName", ""));
        assertThat(email.subject()).isEqualTo("Welcome!");
        assertThat(email.text()).startsWith("Hello,");
    }

    @Test
    void htmlIsOptional() {
        Email email = templates.render("password_changed", "a@example.com", Map.of("firstName", "Grace"));
        assertThat(email.subject()).isEqualTo("Your password was changed");
        assertThat(email.html()).isNull();
    }
}
