package dev.signups.service.web;

import dev.signups.service.outbox.TraceParent;
import dev.signups.service.signup.AddressTakenException;
import dev.signups.service.signup.BadField;
import dev.signups.service.signup.HashingBusyException;
import dev.signups.service.signup.InvalidSignupException;
import dev.signups.service.signup.SignupService;
import dev.signups.service.signup.User;
import dev.signups.service.signup.Users;
import dev.signups.service.web.WelcomeEmails.WelcomeEmail;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The public form and the operator's page: plain HTML from the server, with no script. */
@Controller
class PagesController {

    private static final int PAGE = 25;

    private final SignupService signups;
    private final Users users;
    private final WelcomeEmails emails;

    PagesController(SignupService signups, Users users, WelcomeEmails emails) {
        this.signups = signups;
        this.users = users;
        this.emails = emails;
    }

    @GetMapping("/")
    String home() {
        return "redirect:/signup";
    }

    @GetMapping("/signup")
    String form(Model model) {
        model.addAttribute("form", Form.EMPTY);
        return "signup";
    }

    @PostMapping("/signup")
    String signUp(HttpServletRequest request, HttpServletResponse response, Model model) {
        return signUp(request, response, model, "redirect:/signup?done", "signup");
    }

    @GetMapping("/users")
    String list(@RequestParam(required = false) @Nullable UUID before, Model model) {
        model.addAttribute("form", Form.EMPTY);
        return showUsers(model, before == null ? null : before.toString());
    }

    @PostMapping("/users")
    String signUpByOperator(HttpServletRequest request, HttpServletResponse response, Model model) {
        String view = signUp(request, response, model, "redirect:/users?done", "users");
        return view.equals("users") ? showUsers(model, null) : view;
    }

    private String signUp(
            HttpServletRequest request, HttpServletResponse response, Model model, String done, String again) {
        Map<String, String> fields = fields(request);
        try {
            signups.signUp(
                    fields, TraceParent.parse(request.getHeader("traceparent")).orElseGet(TraceParent::begin));
            return done;
        } catch (InvalidSignupException e) {
            response.setStatus(HttpStatus.BAD_REQUEST.value());
            model.addAttribute("form", Form.refused(fields, errors(e)));
        } catch (AddressTakenException e) {
            response.setStatus(HttpStatus.CONFLICT.value());
            model.addAttribute("form", Form.refused(fields, Map.of("email", "has an account already")));
        } catch (HashingBusyException e) {
            response.setStatus(HttpStatus.SERVICE_UNAVAILABLE.value());
            response.setHeader(HttpHeaders.RETRY_AFTER, Problems.RETRY_AFTER);
            model.addAttribute(
                    "form", Form.refused(fields, Map.of("password", "cannot be stored right now: try again")));
        }
        return again;
    }

    private String showUsers(Model model, @Nullable String before) {
        List<User> page = users.page(PAGE, before);
        Map<UUID, WelcomeEmail> states = emails.of(page.stream().map(User::id).toList());
        model.addAttribute(
                "rows",
                page.stream()
                        .map(user -> new Row(user, states.getOrDefault(user.id(), WelcomeEmail.UNKNOWN)))
                        .toList());
        model.addAttribute("next", page.size() == PAGE ? page.getLast().id() : null);
        return "users";
    }

    /** An empty input is no input: a browser sends the password's field also when it was left alone. */
    private static Map<String, String> fields(HttpServletRequest request) {
        Map<String, String> fields = new HashMap<>();
        for (String name : List.of("email", "firstName", "lastName", "password")) {
            String value = request.getParameter(name);
            if (value != null && !value.isEmpty()) {
                fields.put(name, value);
            }
        }
        return fields;
    }

    private static Map<String, String> errors(InvalidSignupException e) {
        return e.badFields().stream().collect(Collectors.toMap(BadField::field, BadField::detail));
    }

    /** A user and the state of the welcome e-mail. */
    record Row(User user, WelcomeEmail email) {}

    /**
     * What the form is filled with; never the password.
     *
     * @param errors by the field's name
     */
    record Form(String email, String firstName, String lastName, Map<String, String> errors) {

        static final Form EMPTY = new Form("", "", "", Map.of());

        static Form refused(Map<String, String> fields, Map<String, String> errors) {
            return new Form(
                    fields.getOrDefault("email", ""),
                    fields.getOrDefault("firstName", ""),
                    fields.getOrDefault("lastName", ""),
                    errors);
        }

        @Override
        public String toString() {
            return "Form[…]";
        }
    }
}
