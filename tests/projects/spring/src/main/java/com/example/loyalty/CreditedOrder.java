package com.example.loyalty;

import java.util.UUID;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "credited_order")
class CreditedOrder {

	@Id
	private UUID id;

	protected CreditedOrder() {
	}

	CreditedOrder(UUID id) {
		this.id = id;
	}

}
