export type { LossReason } from './losses.ts'
export type { RelayDrop, RelayOptions } from './options.ts'
export type { RelayAnswer, RelayRefusal } from './refusals.ts'
export { createRelay, type Relay, type RelayFacts } from './relay.ts'
