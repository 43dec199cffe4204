package com.example.loyalty;

import java.util.UUID;

import org.springframework.data.jpa.repository.JpaRepository;

interface CreditedOrderRepository extends JpaRepository<CreditedOrder, UUID> {

}
