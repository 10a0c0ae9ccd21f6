package dev.signups.service.web;

import dev.signups.service.signup.AddressTakenException;
import dev.signups.service.signup.BodyTooLargeException;
import dev.signups.service.signup.HashingBusyException;
import dev.signups.service.signup.InvalidSignupException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Turns every failure into a problem document (RFC 9457), or, for whoever asked for a page, into the error page.
 *
 * <p>A fault that nobody foresaw is logged here, once, and answered without a word of its message.
 */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

    /** Seconds after which a refused signup is worth another try. */
    static final String RETRY_AFTER = Long.toString(Duration.ofSeconds(2).toSeconds());

    private static final Logger log = LoggerFactory.getLogger(Problems.class);

    @ExceptionHandler
    @Nullable ResponseEntity<Object> invalid(InvalidSignupException e, WebRequest request) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, e.getMessage());
        if (!e.badFields().isEmpty()) {
            problem.setProperty("errors", e.badFields());
        }
        return answer(e, problem, new HttpHeaders(), request);
    }

    @ExceptionHandler
    @Nullable ResponseEntity<Object> taken(AddressTakenException e, WebRequest request) {
        return answer(e, HttpStatus.CONFLICT, e.getMessage(), request);
    }

    @ExceptionHandler
    @Nullable ResponseEntity<Object> tooLarge(BodyTooLargeException e, WebRequest request) {
        return answer(e, HttpStatus.CONTENT_TOO_LARGE, e.getMessage(), request);
    }

    @ExceptionHandler
    @Nullable ResponseEntity<Object> busy(HashingBusyException e, WebRequest request) {
        return unavailable(e, e.getMessage(), request);
    }

    @ExceptionHandler({
        NonTransientDataAccessResourceException.class,
        TransientDataAccessException.class,
        RecoverableDataAccessException.class
    })
    @Nullable ResponseEntity<Object> databaseAway(Exception e, WebRequest request) {
        log.debug("The database did not answer in time", e);
        return unavailable(e, "The database did not answer in time.", request);
    }

    @ExceptionHandler
    @Nullable ResponseEntity<Object> unforeseen(Exception e, WebRequest request) {
        log.error("A request failed: {}", request.getDescription(false), e);
        return answer(e, HttpStatus.INTERNAL_SERVER_ERROR, "The request failed; the log says why.", request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception e, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (request instanceof ServletWebRequest web && wantsPage(web)) {
            return showPage(web, headers, status);
        }
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return super.handleExceptionInternal(e, body, headers, status, request);
    }

    private @Nullable ResponseEntity<Object> unavailable(Exception e, @Nullable String detail, WebRequest request) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER);
        return answer(e, ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, detail), headers, request);
    }

    private @Nullable ResponseEntity<Object> answer(
            Exception e, HttpStatus status, @Nullable String detail, WebRequest request) {
        return answer(e, ProblemDetail.forStatusAndDetail(status, detail), new HttpHeaders(), request);
    }

    private @Nullable ResponseEntity<Object> answer(
            Exception e, ProblemDetail problem, HttpHeaders headers, WebRequest request) {
        return handleExceptionInternal(e, problem, headers, HttpStatus.valueOf(problem.getStatus()), request);
    }

    private static boolean wantsPage(ServletWebRequest request) {
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        return !request.getRequest().getRequestURI().startsWith("/api/")
                && accept != null
                && accept.contains("text/html");
    }

    private static @Nullable ResponseEntity<Object> showPage(
            ServletWebRequest request, HttpHeaders headers, HttpStatusCode status) {
        HttpServletResponse response = request.getResponse();
        if (response != null && !response.isCommitted()) {
            headers.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
            try {
                response.sendError(status.value());
            } catch (IOException e) {
                log.debug("The client went away", e);
            }
        }
        return null;
    }
}
