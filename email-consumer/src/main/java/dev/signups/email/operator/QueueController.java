package dev.signups.email.operator;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The queue over HTTP. */
@RestController
class QueueController {

    private final QueueMonitor monitor;

    QueueController(QueueMonitor monitor) {
        this.monitor = monitor;
    }

    @GetMapping("/api/queue")
    QueueView queue() throws InterruptedException {
        return monitor.view();
    }
}
