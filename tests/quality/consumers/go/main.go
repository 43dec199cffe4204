// The three orders of counting and saving, in Go: franz-go reads, pgx counts.
//
// ORDER: count-then-save, save-then-count or offset-with-result. Counterpart: `../orders.py`.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	batchSize = 4
	patience  = 200 * time.Millisecond

	countClick = `
		insert into click_counts (code, clicks) values ($1, 1)
		on conflict (code) do update set clicks = click_counts.clicks + 1`
	moveOffset = `
		insert into consumer_offsets (topic, partition, next_offset) values ($1, $2, $3)
		on conflict (topic, partition) do update set next_offset = excluded.next_offset`
	readOffset = `select next_offset from consumer_offsets where topic = $1 and partition = $2`
)

type click struct {
	Code string `json:"code"`
}

type counter struct {
	order    string
	database *pgx.Conn
	kafka    *kgo.Client
}

func main() {
	ctx := context.Background()
	database, err := pgx.Connect(ctx, os.Getenv("DATABASE_URL"))
	must(err)
	c := &counter{order: os.Getenv("ORDER"), database: database}
	c.kafka, err = kgo.NewClient(c.options()...)
	must(err)
	for {
		if batch := c.nextBatch(ctx); len(batch) > 0 {
			c.handle(ctx, batch)
		}
	}
}

func (c *counter) options() []kgo.Opt {
	options := []kgo.Opt{
		kgo.SeedBrokers(os.Getenv("KAFKA_BOOTSTRAP_SERVERS")),
		kgo.ConsumerGroup(os.Getenv("KILLPOINT_GROUP")),
		kgo.ConsumeTopics(os.Getenv("KILLPOINT_TOPIC")),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.DisableAutoCommit(),
	}
	if c.order == "offset-with-result" {
		options = append(options, kgo.AdjustFetchOffsetsFn(c.startWhereTheTableSays))
	}
	return options
}

// nextBatch collects up to batchSize records.
func (c *counter) nextBatch(ctx context.Context) []*kgo.Record {
	var batch []*kgo.Record
	for len(batch) < batchSize {
		waiting, cancel := context.WithTimeout(ctx, patience)
		fetches := c.kafka.PollRecords(waiting, batchSize-len(batch))
		cancel()
		for _, failed := range fetches.Errors() {
			if waiting.Err() == nil {
				log.Fatal(failed.Err)
			}
		}
		records := fetches.Records()
		if len(records) == 0 {
			break
		}
		batch = append(batch, records...)
	}
	return batch
}

// handle counts one batch, in the order that is asked for.
func (c *counter) handle(ctx context.Context, batch []*kgo.Record) {
	if c.order == "save-then-count" {
		must(c.kafka.CommitRecords(ctx, batch...))
	}
	c.count(ctx, batch)
	if c.order == "count-then-save" {
		must(c.kafka.CommitRecords(ctx, batch...))
	}
}

// count counts a batch in one transaction, with the offset after it where that is wanted.
func (c *counter) count(ctx context.Context, batch []*kgo.Record) {
	must(pgx.BeginFunc(ctx, c.database, func(tx pgx.Tx) error {
		for _, record := range batch {
			var seen click
			if err := json.Unmarshal(record.Value, &seen); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, countClick, seen.Code); err != nil {
				return err
			}
		}
		if c.order != "offset-with-result" {
			return nil
		}
		last := batch[len(batch)-1]
		_, err := tx.Exec(ctx, moveOffset, last.Topic, last.Partition, last.Offset+1)
		return err
	}))
}

func (c *counter) startWhereTheTableSays(
	ctx context.Context, starts map[string]map[int32]kgo.Offset,
) (map[string]map[int32]kgo.Offset, error) {
	connection, err := pgx.Connect(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return nil, err
	}
	defer connection.Close(ctx)
	for topic, partitions := range starts {
		for partition := range partitions {
			var next int64
			err := connection.QueryRow(ctx, readOffset, topic, partition).Scan(&next)
			if err == pgx.ErrNoRows {
				continue
			}
			if err != nil {
				return nil, err
			}
			partitions[partition] = kgo.NewOffset().At(next)
		}
	}
	return starts, nil
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
