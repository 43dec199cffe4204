import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Two orders of counting and saving, in Java: kafka-clients reads, JDBC counts.
 *
 * ORDER: count-then-save or save-then-count. Counterpart: {@code ../orders.py}.
 */
public final class Orders {
    private static final Pattern CODE = Pattern.compile("\"code\": *\"([^\"]*)\"");
    private static final String COUNT_CLICK =
        "insert into click_counts (code, clicks) values (?, 1)"
            + " on conflict (code) do update set clicks = click_counts.clicks + 1";

    private Orders() {}

    public static void main(String[] arguments) throws SQLException {
        boolean saveFirst = "save-then-count".equals(System.getenv("ORDER"));
        try (Connection database = connect();
            KafkaConsumer<String, String> kafka = new KafkaConsumer<>(settings())) {
            database.setAutoCommit(false);
            kafka.subscribe(List.of(System.getenv("KILLPOINT_TOPIC")));
            while (true) {
                ConsumerRecords<String, String> batch = kafka.poll(Duration.ofMillis(200));
                if (batch.isEmpty()) {
                    continue;
                }
                if (saveFirst) {
                    kafka.commitSync();
                }
                count(database, batch);
                if (!saveFirst) {
                    kafka.commitSync();
                }
            }
        }
    }

    private static void count(Connection database, ConsumerRecords<String, String> batch)
        throws SQLException {
        try (var statement = database.prepareStatement(COUNT_CLICK)) {
            for (ConsumerRecord<String, String> record : batch) {
                var found = CODE.matcher(record.value());
                if (!found.find()) {
                    throw new IllegalArgumentException(record.value());
                }
                statement.setString(1, found.group(1));
                statement.executeUpdate();
            }
        }
        database.commit();
    }

    private static Connection connect() throws SQLException {
        var environment = System.getenv();
        return DriverManager.getConnection(
            String.format(
                "jdbc:postgresql://%s:%s/%s",
                environment.get("PGHOST"), environment.get("PGPORT"), environment.get("PGDATABASE")),
            environment.get("PGUSER"),
            environment.get("PGPASSWORD"));
    }

    private static Properties settings() {
        var settings = new Properties();
        settings.put("bootstrap.servers", System.getenv("KAFKA_BOOTSTRAP_SERVERS"));
        settings.put("group.id", System.getenv("KILLPOINT_GROUP"));
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        settings.put("max.poll.records", "3");
        settings.put("key.deserializer", StringDeserializer.class.getName());
        settings.put("value.deserializer", StringDeserializer.class.getName());
        return settings;
    }
}
