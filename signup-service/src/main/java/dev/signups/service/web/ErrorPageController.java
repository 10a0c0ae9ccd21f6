package dev.signups.service.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;

/** Answers for what failed outside any controller, as a page or as a problem document. */
@Controller
@RequestMapping("/error")
class ErrorPageController implements ErrorController {

    @RequestMapping(produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView page(HttpServletRequest request) {
        HttpStatus status = status(request);
        ModelAndView page = new ModelAndView("error", status);
        page.addObject("title", status.getReasonPhrase());
        page.addObject("retry", status == HttpStatus.SERVICE_UNAVAILABLE);
        return page;
    }

    @RequestMapping
    ResponseEntity<ProblemDetail> problem(HttpServletRequest request) {
        return ResponseEntity.of(ProblemDetail.forStatus(status(request))).build();
    }

    /** Whoever asks for the page itself finds none. */
    private static HttpStatus status(HttpServletRequest request) {
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        HttpStatus status = code instanceof Integer number ? HttpStatus.resolve(number) : null;
        if (status == null) {
            return code == null ? HttpStatus.NOT_FOUND : HttpStatus.INTERNAL_SERVER_ERROR;
        }
        return status;
    }
}
