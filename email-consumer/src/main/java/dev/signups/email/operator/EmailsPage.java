package dev.signups.email.operator;

import dev.signups.email.delivery.Deliveries;
import dev.signups.email.delivery.DeliveryId;
import dev.signups.email.delivery.DeliveryStatus;
import dev.signups.email.delivery.Sending;
import dev.signups.email.inbox.BadRecords;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The operator's page: the queue, the deliveries, the bad records, and the buttons for them. */
@Controller
@RequestMapping("/emails")
class EmailsPage {

    private static final int ROWS = 50;
    private static final String BACK = "redirect:/emails";

    private final QueueMonitor monitor;
    private final Deliveries deliveries;
    private final BadRecords badRecords;
    private final Sending sending;
    private final OperatorActions actions;

    EmailsPage(
            QueueMonitor monitor,
            Deliveries deliveries,
            BadRecords badRecords,
            Sending sending,
            OperatorActions actions) {
        this.monitor = monitor;
        this.deliveries = deliveries;
        this.badRecords = badRecords;
        this.sending = sending;
        this.actions = actions;
    }

    @GetMapping
    String show(
            @RequestParam(required = false) @Nullable DeliveryStatus status,
            @RequestParam(required = false) @Nullable Long before,
            Model model)
            throws InterruptedException {
        Deliveries.Page page = deliveries.list(status, ROWS, before);
        model.addAttribute("queue", monitor.view());
        model.addAttribute("credential", sending.refusedCredential());
        model.addAttribute("status", status);
        model.addAttribute("statuses", DeliveryStatus.values());
        model.addAttribute("deliveries", page.deliveries());
        model.addAttribute("next", page.next());
        model.addAttribute("badRecords", badRecords.list(ROWS));
        return "emails";
    }

    @PostMapping("/{userId}/{emailType}/retry")
    String retry(@PathVariable String userId, @PathVariable String emailType, Principal operator) {
        Deliveries.Requeued result = actions.retry(new DeliveryId(userId, emailType), false, operator.getName());
        return BACK + "?status=" + (result == Deliveries.Requeued.DONE ? "PENDING" : "FAILED");
    }

    @PostMapping("/pause")
    String pause(Principal operator) {
        actions.pause(operator.getName());
        return BACK;
    }

    @PostMapping("/resume")
    String resume(Principal operator) {
        actions.resume(operator.getName());
        return BACK;
    }
}
