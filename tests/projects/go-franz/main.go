// Command balances keeps the balance of each account: from a Kafka topic into Postgres.
package main

import (
	"cmp"
	"context"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatalf("database: %v", err)
	}
	defer pool.Close()
	if err := run(ctx, Ledger{pool, os.Getenv("OFFSETS") == "database"}); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, ledger Ledger) error {
	options := []kgo.Opt{
		kgo.SeedBrokers(strings.Split(os.Getenv("KAFKA_BROKERS"), ",")...),
		kgo.ConsumerGroup(cmp.Or(os.Getenv("KAFKA_GROUP"), "balances")),
		kgo.ConsumeTopics(cmp.Or(os.Getenv("KAFKA_TOPIC"), "transfers")),
	}
	if ledger.keepsOffsets {
		options = append(options, kgo.AdjustFetchOffsetsFn(ledger.Resume))
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		return err
	}
	defer client.Close()
	for {
		fetches := client.PollFetches(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err := fetches.Err(); err != nil {
			return err
		}
		if err := ledger.Apply(ctx, fetches); err != nil {
			return err
		}
	}
}
