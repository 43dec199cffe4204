// Command clicks counts the clicks of each link: from a Kafka topic into Postgres.
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/IBM/sarama"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

func main() {
	path := flag.String("config", "config.toml", "the configuration file")
	flag.Parse()
	config, err := load(*path)
	if err != nil {
		log.Fatalf("configuration: %v", err)
	}

	db, err := gorm.Open(postgres.Open(config.Database.DSN()), &gorm.Config{})
	if err != nil {
		log.Fatalf("database: %v", err)
	}
	if err := db.AutoMigrate(&LinkClicks{}, &HandledMessage{}); err != nil {
		log.Fatalf("migration: %v", err)
	}

	settings := sarama.NewConfig()
	settings.Version = sarama.V3_6_0_0
	settings.Consumer.Group.Rebalance.GroupStrategies = []sarama.BalanceStrategy{
		sarama.NewBalanceStrategyRange(),
	}
	settings.Consumer.Offsets.Initial = sarama.OffsetOldest

	client, err := sarama.NewConsumerGroup(config.Kafka.Brokers, config.Kafka.Group, settings)
	if err != nil {
		log.Fatalf("consumer group: %v", err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	consumer := Consumer{
		ready:   make(chan bool),
		counter: Counter{db: db, once: config.Consumer.SkipHandled},
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			// Consume ends at each rebalance, so it is called again.
			if err := client.Consume(ctx, []string{config.Kafka.Topic}, &consumer); err != nil {
				if errors.Is(err, sarama.ErrClosedConsumerGroup) {
					return
				}
				log.Panicf("consumer: %v", err)
			}
			if ctx.Err() != nil {
				return
			}
			consumer.ready = make(chan bool)
		}
	})
	<-consumer.ready
	log.Println("consumer up and running")

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	select {
	case <-ctx.Done():
	case <-stop:
		log.Println("terminating")
	}
	cancel()
	running.Wait()
	if err := client.Close(); err != nil {
		log.Panicf("closing: %v", err)
	}
}
