package main

import (
	"log"

	"github.com/IBM/sarama"
)

// Consumer is what the consumer group calls.
type Consumer struct {
	ready   chan bool
	counter Counter
}

// Setup is run at the beginning of a new session, before ConsumeClaim.
func (consumer *Consumer) Setup(sarama.ConsumerGroupSession) error {
	close(consumer.ready)
	return nil
}

// Cleanup is run at the end of a session, once all ConsumeClaim goroutines have exited.
func (consumer *Consumer) Cleanup(sarama.ConsumerGroupSession) error {
	return nil
}

// ConsumeClaim handles the messages of one partition and marks those that were handled.
func (consumer *Consumer) ConsumeClaim(
	session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim,
) error {
	for {
		select {
		case message, ok := <-claim.Messages():
			if !ok {
				log.Println("message channel was closed")
				return nil
			}
			if err := consumer.counter.Handle(session.Context(), message); err != nil {
				return err
			}
			session.MarkMessage(message, "")
		case <-session.Context().Done():
			// Without this a rebalance may time out (IBM/sarama#1192).
			return nil
		}
	}
}
