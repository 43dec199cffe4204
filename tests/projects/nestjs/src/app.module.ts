import { Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Customer } from './customer.entity';
import { InboxMessage } from './inbox-message.entity';
import { Customers1710000000000 } from './migrations/1710000000000-customers';
import { Inbox1720000000000 } from './migrations/1720000000000-inbox';
import { OrdersController } from './orders.controller';
import { OrdersService } from './orders.service';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    TypeOrmModule.forRootAsync({
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({
        type: 'postgres',
        host: config.get('DB_HOST', 'localhost'),
        port: Number(config.get('DB_PORT', 5432)),
        username: config.get('DB_USERNAME', 'shop'),
        password: config.get('DB_PASSWORD', 'shop'),
        database: config.get('DB_DATABASE', 'shop'),
        entities: [Customer, InboxMessage],
        migrations: [Customers1710000000000, Inbox1720000000000],
        migrationsRun: true,
      }),
    }),
    TypeOrmModule.forFeature([Customer]),
  ],
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class AppModule {}
