package main

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Click is the value of a message.
type Click struct {
	ID   string `json:"id"`
	Link string `json:"link"`
}

// LinkClicks is how often a link was clicked.
type LinkClicks struct {
	Link   string `gorm:"primaryKey"`
	Clicks int64  `gorm:"not null"`
}

// HandledMessage is a click that was counted.
type HandledMessage struct {
	ID string `gorm:"primaryKey"`
}

// Counter counts clicks; with once, each ID one time only.
type Counter struct {
	db   *gorm.DB
	once bool
}

// Handle counts the click of one message in a transaction.
func (counter Counter) Handle(ctx context.Context, message *sarama.ConsumerMessage) error {
	var click Click
	if err := json.Unmarshal(message.Value, &click); err != nil {
		return err
	}
	return counter.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if counter.once {
			made := tx.Clauses(clause.OnConflict{DoNothing: true}).
				Create(&HandledMessage{ID: click.ID})
			if made.Error != nil || made.RowsAffected == 0 {
				return made.Error
			}
		}
		return tx.Clauses(clause.OnConflict{
			Columns: []clause.Column{{Name: "link"}},
			DoUpdates: clause.Assignments(map[string]any{
				"clicks": gorm.Expr("link_clicks.clicks + ?", 1),
			}),
		}).Create(&LinkClicks{Link: click.Link, Clicks: 1}).Error
	})
}
