package com.example.loyalty;

import java.time.Instant;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import org.hibernate.annotations.UpdateTimestamp;

@Entity
@Table(name = "balance")
class Balance {

	@Id
	private String customer;

	private long points;

	@Version
	private Long version;

	@UpdateTimestamp
	private Instant updatedAt;

	protected Balance() {
	}

	Balance(String customer) {
		this.customer = customer;
	}

	void credit(long earned) {
		this.points += earned;
	}

}
