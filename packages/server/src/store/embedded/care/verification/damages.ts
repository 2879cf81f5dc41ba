/** Damage known at the moment: each is logged once when it is found, and once when it is mended. */
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { type Damage, damageKey, damageWords, type KnownDamage } from '#model/damage.ts'

export interface DamagesParts {
  readonly clock: Clock
  readonly log: Log
  /** Called after each change. */
  readonly onChange?: () => void
}

export class Damages {
  readonly #parts: DamagesParts
  readonly #known = new Map<string, KnownDamage>()

  constructor(parts: DamagesParts) {
    this.#parts = parts
  }

  /** The oldest first. */
  all(): readonly KnownDamage[] {
    return [...this.#known.values()].sort((a, b) => a.sinceMs - b.sinceMs)
  }

  /** Restores what an earlier process found, and logged. */
  restore(damages: readonly KnownDamage[]): void {
    for (const damage of damages) this.#known.set(damageKey(damage), damage)
  }

  note(damage: Damage): void {
    const key = damageKey(damage)
    const known = this.#known.get(key)
    if (known?.detail === damage.detail) return
    const { clock, log, onChange = () => {} } = this.#parts
    if (known === undefined) {
      const { what, mend } = damageWords(damage)
      log.error('damage found in the stores', { code: damage.code, reason: what, next: mend })
    }
    this.#known.set(key, { ...damage, sinceMs: known?.sinceMs ?? clock.now() })
    onChange()
  }

  /**
   * Replaces the damage that `isMeant` names by `found`: what is missing there is mended, or its file is
   * gone.
   */
  settle(isMeant: (damage: Damage) => boolean, found: readonly Damage[]): void {
    const { log, onChange = () => {} } = this.#parts
    const keys = new Set(found.map(damageKey))
    for (const [key, damage] of this.#known) {
      if (keys.has(key) || !isMeant(damage)) continue
      this.#known.delete(key)
      log.info('damage is gone from the stores', { code: damage.code, reason: damageWords(damage).what })
      onChange()
    }
    for (const damage of found) this.note(damage)
  }
}
