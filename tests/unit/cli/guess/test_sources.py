"""The topic is found in what each client's and framework's documentation would have one write."""

from pathlib import Path

import pytest

from killpoint.cli.guess.draft import Guess
from killpoint.cli.guess.sources import topic_near

SUBSCRIBED = {
    "Listener.java": '@KafkaListener(id = "billing", topics = "orders")',
    "Listeners.java": '@KafkaListener(groupId = "billing",\n    topics = {"orders", "refunds"})',
    "Listener.kt": '@KafkaListener(topics = ["orders"])',
    "application.properties": "mp.messaging.incoming.in-1.topic=orders\n",
    "Consumer.java": '@Incoming("orders")\n@Transactional',
    "worker.py": '@broker.subscriber("orders", group_id="billing")',
    "poll.py": "consumer.subscribe(['orders'])",
    "aio.py": 'AIOKafkaConsumer("orders", bootstrap_servers=servers)',
    "app.controller.ts": "@EventPattern('orders')",
    "index.js": "await consumer.subscribe({ topics: ['orders'], fromBeginning: true })",
    "old.js": "await consumer.subscribe({ topic: 'orders' })",
    "franz.go": 'kgo.ConsumeTopics("orders"),',
    "sarama.go": 'client.Consume(ctx, []string{"orders"}, handler)',
    "confluent.go": 'c.SubscribeTopics([]string{"orders"}, nil)',
    "main.rs": 'consumer.subscribe(&["orders"])?;',
    "Worker.cs": 'consumer.Subscribe("orders");',
    "sink.json": '{"connector.class": "io.acme.Sink", "tasks.max": "1", "topics": "orders"}',
}


@pytest.mark.parametrize("name", SUBSCRIBED)
def test_a_topic_is_found_as_it_is_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / name).write_text(SUBSCRIBED[name], encoding="utf-8")
    assert topic_near(tmp_path) == Guess("orders", f"subscribed in src/{name}")


def test_a_property_comes_before_the_name_of_its_channel(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text('@Incoming("in")', encoding="utf-8")
    text = "mp.messaging.incoming.in.topic=orders\n"
    (tmp_path / "z.properties").write_text(text, encoding="utf-8")
    found = topic_near(tmp_path)
    assert found is not None and found.value == "orders"


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("tests/poll.py", "consumer.subscribe(['orders'])"),
        ("node_modules/a/index.js", "consumer.subscribe({ topic: 'orders' })"),
        (".cache/poll.py", "consumer.subscribe(['orders'])"),
        ("README.md", "consumer.subscribe(['orders'])"),
        ("Listener.java", '@KafkaListener(topics = "${billing.topic}")'),
        ("big.py", "#" * 200_000 + "consumer.subscribe(['orders'])"),
        ("config.json", '{"topics": "orders"}'),
    ],
)
def test_other_places_and_other_texts_name_none(tmp_path: Path, place: str, text: str) -> None:
    file = tmp_path / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    assert topic_near(tmp_path) is None
