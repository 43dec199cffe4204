//! The settings, all from the environment.

use std::env::{self, VarError};
use std::error::Error;

pub struct Settings {
    pub brokers: String,
    pub group_id: String,
    pub topic: String,
    pub database_url: String,
    pub flush_rows: usize,
    pub flush_seconds: u64,
    pub store_after_flush: bool,
}

impl Settings {
    pub fn from_env() -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            brokers: required("KAFKA_BROKERS")?,
            group_id: or("KAFKA_GROUP_ID", "readings-archive"),
            topic: or("KAFKA_TOPIC", "readings"),
            database_url: required("DATABASE_URL")?,
            flush_rows: or("FLUSH_ROWS", "1000").parse()?,
            flush_seconds: or("FLUSH_SECONDS", "10").parse()?,
            store_after_flush: or("STORE_OFFSETS", "on-receive") == "after-flush",
        })
    }
}

fn required(name: &str) -> Result<String, VarError> {
    env::var(name).inspect_err(|_| eprintln!("{name} is not set"))
}

fn or(name: &str, default: &str) -> String {
    env::var(name).unwrap_or_else(|_| default.to_owned())
}
