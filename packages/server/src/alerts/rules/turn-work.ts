/** Steps of evaluating rules in one transaction, so that it ends before others wait long. */
import type { IssueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AlertIssue } from '#model/alert-message.ts'
import type { AlertStore } from './alert-store.ts'
import type { SlotRow } from './slots.ts'

/** A step is about ten microseconds. */
const STEPS = { slots: 5, told: 50, firing: 20, message: 40 } as const
/** Counts of an issue are shared by all rules that ask for no conditions. */
const SLOTS_KEPT = 32

export class TurnWork {
  #steps = 0

  add(steps: number): void {
    this.#steps += steps
  }

  get isEnough(): boolean {
    return this.#steps >= max('alertTurnStepsMax')
  }
}

/** Counts what is asked of the store, and asks once for what rules share. Of one transaction. */
export function workedStore(store: AlertStore, work: TurnWork): AlertStore {
  const kept = new Map<string, readonly SlotRow[]>()
  let told: { readonly id: IssueId; readonly issue: AlertIssue } | null = null
  return {
    ...store,
    slots(key, width, first, last) {
      const name = `${key} ${width} ${first} ${last}`
      const known = kept.get(name)
      if (known !== undefined) return known
      const rows = store.slots(key, width, first, last)
      work.add(STEPS.slots + rows.length)
      if (kept.size >= SLOTS_KEPT) kept.clear()
      kept.set(name, rows)
      return rows
    },
    told(id) {
      if (told?.id === id) return told.issue
      work.add(STEPS.told)
      told = { id, issue: store.told(id) }
      return told.issue
    },
    changeIssues(changes) {
      told = null
      store.changeIssues(changes)
    },
    firedAfter(rule, afterMs) {
      const fired = store.firedAfter(rule, afterMs)
      work.add(STEPS.slots + fired.headlines.length)
      return fired
    },
    lastFiredMs(rule, issue) {
      work.add(1)
      return store.lastFiredMs(rule, issue)
    },
    addFiring(firing) {
      work.add(STEPS.firing)
      return store.addFiring(firing)
    },
    queueMessages(messages, nowMs) {
      work.add(STEPS.message * messages.length)
      store.queueMessages(messages, nowMs)
    },
  }
}
