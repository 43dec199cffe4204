import { MigrationInterface, QueryRunner } from 'typeorm';

export class Customers1710000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "customers" (
        "id" character varying PRIMARY KEY,
        "orders" integer NOT NULL DEFAULT 0,
        "spent" integer NOT NULL DEFAULT 0
      )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "customers"`);
  }
}
