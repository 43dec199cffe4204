package org.acme.payments;

public record Payment(String id, String account, long amount) {
}
