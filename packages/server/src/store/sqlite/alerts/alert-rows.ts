/** Rows of rules, slots and candidates, as the commit, the beat and reads share them. */

import {
  type SlotAddition,
  type SlotPlace,
  type SlotRange,
  type SlotRow,
  slotAfter,
} from '#alerts/rules/slots.ts'
import type { OrgId, UserId } from '#base/ids.ts'
import { NOBODY } from '#issues/group-users.ts'
import type { AlertRule, RuleDraft } from '#model/alert-rule.ts'
import type { Connection } from '../connection.ts'
import { usersOfRow, usersParams } from '../ingest/group-rows.ts'

interface RuleRow {
  readonly id: number
  readonly orgId: OrgId
  readonly draft: string
  readonly isPreset: number
  readonly createdBy: string
  readonly createdById: UserId | null
  readonly createdMs: number
  readonly changedBy: string
  readonly changedMs: number
  readonly mute: string | null
}

const RULE = `SELECT id, org_id AS orgId, draft, is_preset AS isPreset, created_by AS createdBy,
  created_by_id AS createdById, created_ms AS createdMs, changed_by AS changedBy, changed_ms AS changedMs, mute
  FROM alert_rules`

function readRule({ draft, mute, isPreset, ...row }: RuleRow): AlertRule {
  const set: RuleDraft = JSON.parse(draft)
  return { ...set, ...row, isPreset: isPreset === 1, mute: mute === null ? null : JSON.parse(mute) }
}

/** Returns the organisation's rules in the order they were made. */
export function rulesOfOrg(db: Connection, org: OrgId): readonly AlertRule[] {
  // alert_rules_by_org
  return db.all<RuleRow>(`${RULE} WHERE org_id = ? ORDER BY id`, [org]).map(readRule)
}

export function ruleOfOrg(db: Connection, org: OrgId, id: number): AlertRule | null {
  const row = db.get<RuleRow>(`${RULE} WHERE id = ? AND org_id = ?`, [id, org])
  return row === undefined ? null : readRule(row)
}

export function rulesOn(db: Connection): readonly AlertRule[] {
  return db.all<RuleRow>(`${RULE} WHERE json_extract(draft, '$.isOn') = 1 ORDER BY id`).map(readRule)
}

/** Returns a number that counts up with every change of rules, and of issues that are archived until they escalate. */
export function alertsVersion(db: Connection): number {
  return db.get<{ value: number }>(`SELECT value FROM meta WHERE name = 'alerts_version'`)?.value ?? 0
}

interface StoredSlot {
  readonly slot: number
  readonly count: number
  readonly failed: number
  readonly isExact: number
  readonly state: Uint8Array
  readonly aliases: Uint8Array | null
  readonly sketch: Uint8Array | null
}

const SLOT =
  'SELECT slot, count, failed, users_exact AS isExact, users AS state, aliases, sketch FROM alert_slots'

function readSlot({ slot, count, failed, sketch, ...people }: StoredSlot): SlotRow {
  return { slot, count, failed, people: usersOfRow(people), sketch }
}

export function readSlots(db: Connection, ranges: readonly SlotRange[]): readonly (readonly SlotRow[])[] {
  // The primary key.
  const sql = `${SLOT} WHERE key = ? AND width = ? AND slot BETWEEN ? AND ?`
  return db
    .allEach<StoredSlot>(
      sql,
      ranges.map(({ key, width, first, last }) => [key, width, first, last]),
    )
    .map((rows) => rows.map(readSlot))
}

export function addToSlot(db: Connection, added: SlotAddition): void {
  addToSlots(db, [added])
}

/** No two of one place. */
export function addToSlots(db: Connection, additions: readonly SlotAddition[]): void {
  const isNumbers = ({ users, sketch }: SlotAddition) => users.size === 0 && sketch === null
  addNumbers(db, additions.filter(isNumbers))
  const others = additions.filter((one) => !isNumbers(one))
  const before = db.getEach<StoredSlot>(
    `${SLOT} WHERE key = ? AND width = ? AND slot = ?`,
    others.map(({ key, width, slot }) => [key, width, slot]),
  )
  const sql = `INSERT INTO alert_slots (key, width, slot, count, failed, users_exact, users, aliases, sketch)
    VALUES (:key, :width, :slot, :count, :failed, :exact, :users, :aliases, :sketch)
    ON CONFLICT DO UPDATE SET count = excluded.count, failed = excluded.failed, users_exact = excluded.users_exact,
      users = excluded.users, aliases = excluded.aliases, sketch = excluded.sketch`
  const rows = others.map((added, at) => {
    const known = before[at]
    const { count, failed, people, sketch } = slotAfter(known === undefined ? null : readSlot(known), added)
    const [exact, users, aliases] = usersParams(people)
    const { key, width, slot }: SlotPlace = added
    return { key, width, slot, count, failed, exact, users, aliases, sketch }
  })
  db.runEach(sql, rows)
}

/** Most slots count nothing else: as `slotAfter`, without reading what is there. */
function addNumbers(db: Connection, additions: readonly SlotAddition[]): void {
  const sql = `INSERT INTO alert_slots (key, width, slot, count, failed, users_exact, users, sketch)
    VALUES (:key, :width, :slot, :count, max(0, :failed), :exact, :users, NULL)
    ON CONFLICT DO UPDATE SET count = count + excluded.count, failed = max(0, failed + :failed)`
  const [exact, users] = usersParams(NOBODY)
  const rows = additions.map(({ key, width, slot, count, failed }) => {
    return { key, width, slot, count, failed, exact, users }
  })
  db.runEach(sql, rows)
}

/** Forgets counts of a rule that counts something else from now on. */
export function forgetSlots(db: Connection, rule: number): void {
  // The primary key; `j` follows `i`.
  const sql = 'DELETE FROM alert_slots WHERE key = ? OR (key >= ? AND key < ?)'
  db.run(sql, [`m${rule}`, `r${rule}i`, `r${rule}j`])
}
