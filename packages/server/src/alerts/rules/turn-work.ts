/** Steps of evaluating rules in one transaction, so that it ends before others wait long. */
import { max } from '#limits/limits.ts'

/** A step is about ten microseconds. */
export const STEP_COSTS = { slots: 5, preset: 5, told: 50, firing: 20, message: 40, delivery: 10 } as const

export class TurnWork {
  #steps = 0

  add(steps: number): void {
    this.#steps += steps
  }

  get isEnough(): boolean {
    return this.#steps >= max('alertTurnStepsMax')
  }
}
