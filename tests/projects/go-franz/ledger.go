package main

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Transfer is the value of a record.
type Transfer struct {
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

// Ledger has the balances, and with keepsOffsets how far each partition was applied.
type Ledger struct {
	pool         *pgxpool.Pool
	keepsOffsets bool
}

const (
	addToBalance = `insert into balances (account, cents) values ($1, $2)
		on conflict (account) do update set cents = balances.cents + excluded.cents`
	saveOffset = `insert into applied (topic, partition, next_offset) values ($1, $2, $3)
		on conflict (topic, partition) do update set next_offset = excluded.next_offset`
)

// Apply adds all transfers of a poll in one transaction.
func (ledger Ledger) Apply(ctx context.Context, fetches kgo.Fetches) error {
	var batch pgx.Batch
	next := map[string]map[int32]int64{}
	for iter := fetches.RecordIter(); !iter.Done(); {
		record := iter.Next()
		var transfer Transfer
		if err := json.Unmarshal(record.Value, &transfer); err != nil {
			return err
		}
		batch.Queue(addToBalance, transfer.Account, transfer.Cents)
		if next[record.Topic] == nil {
			next[record.Topic] = map[int32]int64{}
		}
		next[record.Topic][record.Partition] = record.Offset + 1
	}
	if ledger.keepsOffsets {
		for topic, partitions := range next {
			for partition, offset := range partitions {
				batch.Queue(saveOffset, topic, partition, offset)
			}
		}
	}
	return pgx.BeginFunc(ctx, ledger.pool, func(tx pgx.Tx) error {
		return tx.SendBatch(ctx, &batch).Close()
	})
}

// Resume lets each partition begin behind what was applied, whatever the group committed.
func (ledger Ledger) Resume(
	ctx context.Context, offsets map[string]map[int32]kgo.Offset,
) (map[string]map[int32]kgo.Offset, error) {
	rows, err := ledger.pool.Query(ctx, "select topic, partition, next_offset from applied")
	if err != nil {
		return nil, err
	}
	var topic string
	var partition int32
	var next int64
	_, err = pgx.ForEachRow(rows, []any{&topic, &partition, &next}, func() error {
		if _, assigned := offsets[topic][partition]; assigned {
			offsets[topic][partition] = kgo.NewOffset().At(next)
		}
		return nil
	})
	return offsets, err
}
