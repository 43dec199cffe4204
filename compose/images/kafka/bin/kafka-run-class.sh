#!/usr/bin/env bash
# Runs one of Kafka's main classes: kafka-run-class.sh CLASS ARGUMENT...
set -euo pipefail

# Jar by jar and always in the same order: the start-up cache is valid for one class path (JEP 483).
export LC_ALL=C
jars=(/opt/kafka/libs/*.jar)
class_path=$(IFS=:; echo "${jars[*]}")

# These variables hold several words each.
# shellcheck disable=SC2086
exec java ${KAFKA_HEAP_OPTS:--Xmx256m} \
  ${KAFKA_JVM_PERFORMANCE_OPTS:--XX:TieredStopAtLevel=1 -XX:+UseSerialGC} \
  ${KILLPOINT_AOT_OPTS:--XX:AOTCache=/opt/kafka/kafka.aot} \
  -XX:+IgnoreUnrecognizedVMOptions -Xlog:disable -Xlog:all=error:stderr \
  -Dorg.slf4j.simpleLogger.logFile=System.out \
  -Dorg.slf4j.simpleLogger.showDateTime=true \
  -Dorg.slf4j.simpleLogger.defaultLogLevel="${KAFKA_LOG4J_ROOT_LOGLEVEL:-info}" \
  ${KAFKA_JMX_OPTS:-} ${KAFKA_OPTS:-} -cp "$class_path" "$@"
