package org.acme.payments;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Account extends PanacheEntityBase {

    @Id
    public String name;

    public long balance;

    public static Account named(String name) {
        Account account = findById(name);
        if (account == null) {
            account = new Account();
            account.name = name;
            account.persist();
        }
        return account;
    }
}
