import { MigrationInterface, QueryRunner } from 'typeorm';

export class Inbox1720000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "inbox" ("id" uuid PRIMARY KEY)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "inbox"`);
  }
}
