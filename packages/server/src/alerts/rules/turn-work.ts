/** Steps of evaluating rules in one transaction, so that it ends before others wait long. */
import { max } from '#limits/limits.ts'
import type { RuleReceiver } from '#model/alert-rule.ts'

/** A step is about ten microseconds. */
export const STEP_COSTS = {
  ...{ slots: 5, preset: 5, told: 50, firing: 20, message: 40, delivery: 10 },
  /** Each person that a message to many is for. */
  person: 3,
} as const

/** Returns the steps of telling, at most: a message for members, a team or owners may be for everybody. */
export function tellingSteps(notify: readonly RuleReceiver[], members: number): number {
  const crowds = notify.filter(({ target: { to } }) => to === 'members' || to === 'team' || to === 'owners')
  return STEP_COSTS.message * notify.length + STEP_COSTS.person * members * crowds.length
}

export class TurnWork {
  #steps = 0

  add(steps: number): void {
    this.#steps += steps
  }

  get isEnough(): boolean {
    return this.#steps >= max('alertTurnStepsMax')
  }
}
