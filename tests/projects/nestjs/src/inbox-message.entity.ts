import { Entity, PrimaryColumn } from 'typeorm';

@Entity('inbox')
export class InboxMessage {
  @PrimaryColumn('uuid')
  id: string;
}
