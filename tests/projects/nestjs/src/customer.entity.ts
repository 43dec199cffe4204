import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('customers')
export class Customer {
  @PrimaryColumn()
  id: string;

  @Column({ default: 0 })
  orders: number;

  @Column({ default: 0 })
  spent: number;
}
