package com.example.loyalty;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class PointsService {

	private final BalanceRepository balances;

	private final CreditedOrderRepository creditedOrders;

	private final boolean deduplicate;

	PointsService(BalanceRepository balances, CreditedOrderRepository creditedOrders,
			@Value("${loyalty.deduplicate}") boolean deduplicate) {
		this.balances = balances;
		this.creditedOrders = creditedOrders;
		this.deduplicate = deduplicate;
	}

	@Transactional
	public void credit(OrderPlaced order) {
		if (this.deduplicate) {
			if (this.creditedOrders.existsById(order.id())) {
				return;
			}
			this.creditedOrders.save(new CreditedOrder(order.id()));
		}
		Balance balance = this.balances.findById(order.customer())
			.orElseGet(() -> new Balance(order.customer()));
		balance.credit(order.points());
		this.balances.save(balance);
	}

}
