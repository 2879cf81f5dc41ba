/** Tells Errata when feature flags of the sample shop were changed, as the service that holds them does. */
import { call, type DemoOrganisation, type DemoStep } from './tell-releases.ts'

const HOUR_MS = 3_600_000

const CHANGES = [
  ['created', 'express-pay', 'ana@marlowfinch.example', 53.4],
  ['updated', 'new-checkout', 'rosa@marlowfinch.example', 15.3],
  ['updated', 'delivery-dates', 'tomas@marlowfinch.example', 5.6],
] as const

export function flagSteps(to: DemoOrganisation, nowMs: number): readonly DemoStep[] {
  return CHANGES.map(([action, flag, id, hoursBefore], at) => {
    const atMs = Math.floor(nowMs - hoursBefore * HOUR_MS)
    const change = {
      ...{ action, flag, change_id: at + 1, created_at: new Date(atMs).toISOString() },
      created_by: { id, type: 'email' },
    }
    const body = JSON.stringify({ data: [change], meta: { version: 1 } })
    return { atMs, run: async () => void (await call(to, 'flags/hooks/provider/generic/', body)) }
  })
}
