package dev.signups.service.signup;

import dev.signups.service.outbox.TraceParent;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The API over users. */
@RestController
@RequestMapping(path = "/api/users", produces = MediaType.APPLICATION_JSON_VALUE)
class SignupController {

    private static final int MAX_PAGE = 200;

    private final SignupRequestReader reader;
    private final SignupService signups;
    private final Users users;

    SignupController(SignupRequestReader reader, SignupService signups, Users users) {
        this.reader = reader;
        this.signups = signups;
        this.users = users;
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<User> signUp(
            HttpServletRequest request,
            @RequestHeader(name = "traceparent", required = false) @Nullable String traceParent)
            throws IOException {
        User user = signups.signUp(
                reader.read(request.getInputStream()),
                TraceParent.parse(traceParent).orElseGet(TraceParent::begin));
        return ResponseEntity.created(URI.create("/api/users/" + user.id())).body(user);
    }

    @GetMapping("/{id}")
    User user(@PathVariable UUID id) {
        return users.find(id).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "No such user."));
    }

    @GetMapping
    ResponseEntity<List<User>> newest(
            @RequestParam(defaultValue = "50") int limit, @RequestParam(required = false) @Nullable String before) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "limit must be between 1 and " + MAX_PAGE + ".");
        }
        List<User> page = page(limit, before);
        ResponseEntity.BodyBuilder response = ResponseEntity.ok();
        if (page.size() == limit) {
            response.header(
                    "Link",
                    "</api/users?limit=" + limit + "&before=" + page.getLast().id() + ">; rel=\"next\"");
        }
        return response.body(page);
    }

    private List<User> page(int limit, @Nullable String before) {
        try {
            return users.page(limit, before);
        } catch (IllegalArgumentException e) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "before must be a user's id, or a time like 2026-01-02T03:04:05Z.", e);
        }
    }
}
