//! The table `readings`, which another service owns, and the rows that wait for it.

use serde::Deserialize;
use sqlx::postgres::{PgPool, PgPoolOptions};

#[derive(Deserialize)]
pub struct Reading {
    pub device: String,
    pub sequence: i64,
    pub celsius: f64,
}

pub struct Archive {
    pool: PgPool,
    waiting: Vec<Reading>,
}

impl Archive {
    pub async fn connect(url: &str) -> Result<Self, sqlx::Error> {
        let pool = PgPoolOptions::new().max_connections(2).connect(url).await?;
        Ok(Self { pool, waiting: Vec::new() })
    }

    pub fn push(&mut self, reading: Reading) {
        self.waiting.push(reading);
    }

    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Write all waiting rows in one statement.
    pub async fn flush(&mut self) -> Result<(), sqlx::Error> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let devices: Vec<&str> = self.waiting.iter().map(|row| row.device.as_str()).collect();
        let sequences: Vec<i64> = self.waiting.iter().map(|row| row.sequence).collect();
        let celsius: Vec<f64> = self.waiting.iter().map(|row| row.celsius).collect();
        sqlx::query(
            "insert into readings (device, sequence, celsius) \
             select * from unnest($1::text[], $2::bigint[], $3::float8[]) \
             on conflict do nothing",
        )
        .bind(devices)
        .bind(sequences)
        .bind(celsius)
        .execute(&self.pool)
        .await?;
        self.waiting.clear();
        Ok(())
    }
}
