export type { LossReason, RelayDrop, RelayOptions } from './options.ts'
export type { RelayRefusal } from './refusals.ts'
export { createRelay, type Relay, type RelayFacts } from './relay.ts'
