package com.example.loyalty;

import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
class OrderListener {

	private final PointsService points;

	OrderListener(PointsService points) {
		this.points = points;
	}

	@KafkaListener(id = "loyalty", topics = "orders")
	void on(OrderPlaced order) {
		this.points.credit(order);
	}

}
