package com.example.loyalty;

import org.springframework.data.jpa.repository.JpaRepository;

interface BalanceRepository extends JpaRepository<Balance, String> {

}
