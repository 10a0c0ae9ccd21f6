// A subscriber that is no JVM: reads the topic in its own group, from the beginning and then live, and prints a line of
// JSON for each event. It needs nothing of this project but the topic.
//   KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:19092 GROUP=node-subscriber npm start
import kafkajs from 'kafkajs'
import { compressFrame, decompressFrame } from 'lz4-napi'

const { CompressionCodecs, CompressionTypes, Kafka, logLevel } = kafkajs
// the relay's batches are compressed with LZ4, which this client leaves to others
CompressionCodecs[CompressionTypes.LZ4] = () => ({
  compress: encoder => compressFrame(encoder.buffer),
  decompress: decompressFrame
})

const brokers = (process.env.KAFKA_BOOTSTRAP_SERVERS ?? '127.0.0.1:19092').split(',')
const groupId = process.env.GROUP ?? 'node-subscriber'
const topic = process.env.TOPIC ?? 'outbox.event.user'

const kafka = new Kafka({ clientId: groupId, brokers, logLevel: logLevel.ERROR })
// read_committed is this client's default, said here because everything depends on it
const consumer = kafka.consumer({ groupId, readUncommitted: false })

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => consumer.disconnect().finally(() => process.exit(0)))
}

await consumer.connect()
await consumer.subscribe({ topic, fromBeginning: true })
await consumer.run({
  eachMessage: async ({ partition, message }) => {
    const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, value.toString()]))
    // the same id at every reading: what a subscriber with side effects remembers, to do each of them once
    console.log(JSON.stringify({ partition, offset: message.offset, key: message.key.toString(), id: headers.id,
      type: headers.ce_type, event: JSON.parse(message.value) }))
  }
})
