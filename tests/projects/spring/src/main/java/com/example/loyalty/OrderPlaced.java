package com.example.loyalty;

import java.util.UUID;

public record OrderPlaced(UUID id, String customer, long points) {
}
