package dev.signups.fakeemail.log;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows and clears what the provider has counted. */
@RestController
@RequestMapping("/api/sends")
class SendsController {

    private static final Logger log = LoggerFactory.getLogger(SendsController.class);

    private final SendLog sendLog;
    private final KeyMemory keys;

    SendsController(SendLog sendLog, KeyMemory keys) {
        this.sendLog = sendLog;
        this.keys = keys;
    }

    @GetMapping
    SendCounts counts() {
        return sendLog.counts();
    }

    @GetMapping(params = "to")
    AddressReport ofAddress(@RequestParam String to) {
        AddressReport report = sendLog.report(to);
        // a + that was not encoded as %2B arrives as a space, which few addresses have
        return report.requests() > 0 ? report : sendLog.report(to.replace(' ', '+'));
    }

    /** CSV (RFC 4180), one line per address, in no order. */
    @GetMapping("/first-requests")
    void firstRequests(HttpServletResponse response) throws IOException {
        response.setContentType("text/csv");
        response.setCharacterEncoding("UTF-8");
        Writer out = response.getWriter();
        out.write("to,firstRequestMicros,firstAcceptedMicros,requests,accepted\r\n");
        var line = new StringBuilder();
        for (FirstRequest first : sendLog.firstRequests()) {
            line.setLength(0);
            line.append('"').append(first.address().replace("\"", "\"\"")).append("\",");
            line.append(first.firstRequestMicros()).append(',');
            if (first.accepted() > 0) {
                line.append(first.firstAcceptedMicros());
            }
            line.append(',').append(first.requests()).append(',').append(first.accepted());
            out.append(line).write("\r\n");
        }
    }

    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void clear() {
        sendLog.clear();
        keys.clear();
        log.info("counters, sends and idempotency keys cleared");
    }
}
