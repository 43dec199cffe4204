import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { Customer } from './customer.entity';
import { InboxMessage } from './inbox-message.entity';

export interface OrderPlaced {
  id: string;
  customer: string;
  total: number;
}

@Injectable()
export class OrdersService {
  private readonly inbox: boolean;

  constructor(
    @InjectRepository(Customer) private readonly customers: Repository<Customer>,
    config: ConfigService,
  ) {
    this.inbox = config.get('ORDERS_INBOX') === 'true';
  }

  async add(order: OrderPlaced): Promise<void> {
    if (!this.inbox) {
      return this.addTo(this.customers, order);
    }
    await this.customers.manager.transaction(async (manager) => {
      if (await this.isNew(manager, order.id)) {
        await this.addTo(manager.getRepository(Customer), order);
      }
    });
  }

  private async addTo(customers: Repository<Customer>, order: OrderPlaced): Promise<void> {
    const customer =
      (await customers.findOneBy({ id: order.customer })) ??
      customers.create({ id: order.customer, orders: 0, spent: 0 });
    customer.orders += 1;
    customer.spent += order.total;
    await customers.save(customer);
  }

  private async isNew(manager: EntityManager, id: string): Promise<boolean> {
    const added = await manager
      .createQueryBuilder()
      .insert()
      .into(InboxMessage)
      .values({ id })
      .orIgnore()
      .returning('id')
      .execute();
    return added.raw.length > 0;
  }
}
