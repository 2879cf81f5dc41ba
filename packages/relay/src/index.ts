export * from './relay.ts'
export { type SendToDsnOptions, sendToDsn } from './send-to-dsn.ts'
