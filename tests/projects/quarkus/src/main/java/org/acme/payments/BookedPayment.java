package org.acme.payments;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class BookedPayment extends PanacheEntityBase {

    @Id
    public String id;

    public BookedPayment() {
    }

    public BookedPayment(String id) {
        this.id = id;
    }
}
