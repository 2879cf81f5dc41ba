/** The beat of alert rules, over the stores. */
import { AlertLoop, type AlertLoopParts } from '#alerts/alert-loop.ts'
import type { Stores } from './threads/stores.ts'

export function createAlerts({
  stores,
  ...parts
}: Omit<AlertLoopParts, 'store'> & { readonly stores: Pick<Stores, 'alertBeat'> }): AlertLoop {
  return new AlertLoop({ ...parts, store: stores.alertBeat })
}
