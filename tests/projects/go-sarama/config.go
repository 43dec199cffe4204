package main

import (
	"fmt"

	"github.com/BurntSushi/toml"
)

// Config is the configuration file.
type Config struct {
	Kafka    Kafka
	Database Database
	Consumer Handling
}

// Kafka says where the clicks come from.
type Kafka struct {
	Brokers []string
	Group   string
	Topic   string
}

// Database says where the totals go.
type Database struct {
	Host     string
	Port     int
	User     string
	Password string
	Name     string
}

// Handling says how messages are handled.
type Handling struct {
	SkipHandled bool `toml:"skip_handled"`
}

// DSN is the database's address as the driver takes it.
func (database Database) DSN() string {
	return fmt.Sprintf("host=%s port=%d user=%s password=%s dbname=%s sslmode=disable",
		database.Host, database.Port, database.User, database.Password, database.Name)
}

func load(path string) (Config, error) {
	var config Config
	_, err := toml.DecodeFile(path, &config)
	return config, err
}
