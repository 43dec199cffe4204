package org.acme.payments;

import io.quarkus.kafka.client.serialization.ObjectMapperDeserializer;

public class PaymentDeserializer extends ObjectMapperDeserializer<Payment> {

    public PaymentDeserializer() {
        super(Payment.class);
    }
}
