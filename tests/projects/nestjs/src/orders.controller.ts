import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { OrderPlaced, OrdersService } from './orders.service';

@Controller()
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @EventPattern('orders')
  async handleOrderPlaced(@Payload() order: OrderPlaced) {
    await this.orders.add(order);
  }
}
