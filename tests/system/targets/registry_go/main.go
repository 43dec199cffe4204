// A client of a schema registry, by franz-go's sr: looks up, registers, and prints what it found.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/twmb/franz-go/pkg/sr"
)

func main() {
	ctx := context.Background()
	client, err := sr.NewClient(sr.URLs(os.Args[1]))
	check(err)
	latest, err := client.SchemaByVersion(ctx, "clicks-value", -1)
	check(err)
	byID, err := client.SchemaByID(ctx, latest.ID)
	check(err)
	known, err := client.LookupSchema(ctx, "clicks-value", byID)
	check(err)
	made, err := client.CreateSchema(ctx, "totals-value", sr.Schema{Schema: `{"type":"object"}`, Type: sr.TypeJSON})
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"id": latest.ID, "latest": latest.Schema.Schema, "byID": byID.Schema,
		"lookedUp": known.ID, "registered": made.ID,
	}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
