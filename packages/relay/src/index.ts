export {
  type EnvelopeRefusal,
  passedBack,
  type RelayAnswer,
  type RelayRefusal,
  readRelayed,
  refusalAnswer,
} from './decide.ts'
export * from './relay.ts'
export { type SendToDsnOptions, sendToDsn } from './send-to-dsn.ts'
