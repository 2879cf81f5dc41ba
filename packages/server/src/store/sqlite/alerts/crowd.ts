/** The people of a message for whom nothing is held back: a thousand of them are a few statements, not some for each. */
import type { UserId } from '#base/ids.ts'
import { dueMsOf, sinceOccasion, TOLD_IN_ANOTHER } from '#notices/rules/messages.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { Connection } from '../connection.ts'
import { messageText, type StoredText } from './message-texts.ts'

interface CrowdOf {
  readonly message: NewMessage
  readonly text: StoredText
  readonly people: readonly UserId[]
  readonly nowMs: number
}

interface CrowdRow {
  readonly id: UserId
  readonly name: string
  /** `null`: another message tells it. */
  readonly dueMs: number | null
  /** That message, where it has an id. */
  readonly into: number | null
}

/** Rows of one message, gathered until `save`. */
export class Crowd {
  readonly #db: Connection
  readonly #of: CrowdOf
  /** When the newest message went out to each that may be told at once. */
  readonly #lastMs: ReadonlyMap<UserId, number | null>
  #rows: CrowdRow[] = []

  constructor(db: Connection, of: CrowdOf) {
    this.#db = db
    this.#of = of
    this.#lastMs = of.people.length < 2 ? new Map() : lastOfEach(db, of)
  }

  /** False for somebody of whom more is to be asked: they are told by themselves. */
  has(id: UserId): boolean {
    return this.#lastMs.has(id)
  }

  /** Adds a message to somebody whom it has. */
  take(id: UserId, name: string): void {
    const lastMs = this.#lastMs.get(id) ?? null
    const { message, nowMs } = this.#of
    const given = { kind: 'email', heldUntilMs: message.heldUntilMs, moment: message.message.moment } as const
    this.#rows.push({ id, name, dueMs: dueMsOf(given, { nowMs, lastMs }), into: null })
  }

  /** Adds an entry for the log only, of somebody whom another message tells. */
  addTold(id: UserId, name: string, into: number | null): void {
    this.#rows.push({ id, name, dueMs: null, into })
  }

  save(): void {
    if (this.#rows.length === 0) return
    const { message, text, nowMs } = this.#of
    const { orgId, projectId, projects, issueId, occasion, firingId, heldUntilMs, message: said } = message
    const sql = `INSERT INTO alert_messages (org_id, project_id, projects, rule_id, firing_id, issue_id, occasion, occasion_ms,
        channel_id, user_id, kind, receiver, key, message, text_id, headline, level, state, at_ms, held_until_ms, due_ms,
        says, settled_ms, gathered_in)
      SELECT :org, :project, :projects, :rule, :firing, :issue, :occasion, :occasionMs, NULL, r.value ->> 'id', 'email',
        r.value ->> 'name', lower(hex(randomblob(16))), :message, :textId, :headline, :level,
        iif(r.value ->> 'dueMs' IS NULL, 'gathered', 'waiting'), :now, :held, r.value ->> 'dueMs',
        iif(r.value ->> 'dueMs' IS NULL, :told, NULL), iif(r.value ->> 'dueMs' IS NULL, :now, NULL), r.value ->> 'into'
      FROM json_each(:rows) r ORDER BY r.key`
    this.#db.run(sql, {
      ...{ org: orgId, project: projectId, projects: projects === null ? null : JSON.stringify(projects) },
      ...{ rule: said.rule?.id ?? null, firing: firingId, issue: issueId },
      ...{ occasion: occasion?.of ?? null, occasionMs: occasion?.atMs ?? null },
      ...{ ...text, headline: said.headline, level: said.level },
      ...{ now: nowMs, held: heldUntilMs, told: TOLD_IN_ANOTHER, rows: JSON.stringify(this.#rows) },
    })
    this.#rows = []
  }
}

function lastOfEach(db: Connection, { message, people }: CrowdOf): ReadonlyMap<UserId, number | null> {
  const { firingId: firing, issueId: issue, occasion } = message
  // alert_messages_to_person, person_quiet_hours, letters_of_people, alert_messages_of_firing, alert_messages_of_issue
  const sql = `WITH people AS (SELECT value AS id FROM json_each(:people)),
    held AS (
      SELECT user_id AS id FROM alert_messages WHERE firing_id = :firing AND due_ms IS NOT NULL
        AND held_until_ms IS NOT NULL AND state = 'waiting' AND tries = 0
      UNION SELECT user_id FROM alert_messages WHERE issue_id = :issue AND user_id IS NOT NULL AND occasion = :of
        AND occasion_ms >= :since AND held_until_ms IS NOT NULL AND state = 'waiting' AND tries = 0)
    SELECT id, (${LAST_TOLD} AND user_id = people.id ORDER BY at_ms DESC LIMIT 1) AS lastMs FROM people
    WHERE NOT EXISTS (SELECT 1 FROM person_quiet_hours WHERE user_id = people.id)
      AND NOT EXISTS (SELECT 1 FROM letters WHERE user_id = people.id AND activity_id IS NULL AND state = 'waiting')
      AND id NOT IN (SELECT id FROM held WHERE id IS NOT NULL)`
  const rows = db.all<{ id: UserId; lastMs: number | null }>(sql, {
    ...{ people: JSON.stringify(people), firing, issue },
    ...{ of: occasion?.of ?? null, since: occasion === null ? 0 : sinceOccasion(occasion.atMs) },
  })
  return new Map(rows.map(({ id, lastMs }) => [id, lastMs]))
}

/**
 * Messages that went out, or go out, at once, without tests and what was never queued: those that wait are passed over
 * before they are read.
 */
export const LAST_TOLD = `SELECT at_ms FROM alert_messages WHERE held_until_ms IS NULL AND gathered_in IS NULL
  AND NOT (state = 'failed' AND tries = 0)
  AND (due_ms IS NULL OR due_ms <= at_ms OR tries > 0) AND json_extract(${messageText('alert_messages')}, '$.moment') NOT IN ('test', 'sent')`
