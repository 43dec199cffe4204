package org.acme.payments;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.reactive.messaging.Incoming;

@ApplicationScoped
public class PaymentConsumer {

    @ConfigProperty(name = "payments.book-once")
    boolean bookOnce;

    @Incoming("payments")
    @Transactional
    public void book(Payment payment) {
        if (bookOnce) {
            if (BookedPayment.findById(payment.id()) != null) {
                return;
            }
            new BookedPayment(payment.id()).persist();
        }
        Account.named(payment.account()).balance += payment.amount();
    }
}
