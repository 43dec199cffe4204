//! Archives the readings of devices: from a topic into the table `readings`, many rows at a time.

mod archive;
mod settings;

use std::error::Error;
use std::time::Duration;

use rdkafka::Message;
use rdkafka::config::{ClientConfig, RDKafkaLogLevel};
use rdkafka::consumer::{Consumer, StreamConsumer};
use rdkafka::message::BorrowedMessage;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, sleep_until};

use archive::Archive;
use settings::Settings;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let settings = Settings::from_env()?;
    let archive = Archive::connect(&settings.database_url).await?;
    let consumer = consumer(&settings)?;
    consumer.subscribe(&[&settings.topic])?;
    run(&consumer, archive, &settings).await
}

fn consumer(settings: &Settings) -> Result<StreamConsumer, rdkafka::error::KafkaError> {
    ClientConfig::new()
        .set("group.id", &settings.group_id)
        .set("bootstrap.servers", &settings.brokers)
        .set("enable.partition.eof", "false")
        .set("session.timeout.ms", "6000")
        .set("enable.auto.commit", "true")
        // Only the offsets that were stored explicitly are committed, where the rows come first.
        .set("enable.auto.offset.store", if settings.store_after_flush { "false" } else { "true" })
        .set("auto.offset.reset", "earliest")
        .set_log_level(RDKafkaLogLevel::Info)
        .create()
}

/// Collect rows and flush them when there are enough, when they are old enough, and at the end.
async fn run(
    consumer: &StreamConsumer,
    mut archive: Archive,
    settings: &Settings,
) -> Result<(), Box<dyn Error>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let wait = Duration::from_secs(settings.flush_seconds);
    let mut due = Instant::now() + wait;
    let mut last: Option<BorrowedMessage<'_>> = None;
    loop {
        let stop = tokio::select! {
            received = consumer.recv() => {
                let message = received?;
                archive.push(serde_json::from_slice(message.payload().unwrap_or_default())?);
                last = Some(message);
                false
            }
            _ = sleep_until(due) => false,
            _ = terminate.recv() => true,
        };
        if stop || archive.len() >= settings.flush_rows || Instant::now() >= due {
            archive.flush().await?;
            if let (true, Some(message)) = (settings.store_after_flush, last.take()) {
                consumer.store_offset_from_message(&message)?;
            }
            due = Instant::now() + wait;
        }
        if stop {
            return Ok(());
        }
    }
}
