/** Emails that tell followers of an issue what was done to it, queued as letters. */
import { randomBytes } from 'node:crypto'
import type { IssueId, UserId } from '#base/ids.ts'
import { byErrata, hasRoomFor, roomForTellings, type Telling, tellingsOf } from '#issues/issue-people.ts'
import { max } from '#limits/limits.ts'
import { hasExpired } from '#notices/rules/letters.ts'
import type { Actor } from '#ports/scope.ts'
import { followersOf } from '../rows/marks.ts'
import { noticeSettings } from '../rows/notice-rows.ts'
import type { Tables } from '../tables.ts'

/** Tells the issue's followers of what somebody did to it. */
export function tellFollowers(to: Tables, issue: IssueId, activity: number, actor: Actor): void {
  queueTellings(to, { activity, followers: followersOf(to, issue), mentions: [] }, actor)
}

/** Events brought the issue back. Where the project's alerts are emailed, they tell its followers too. */
export function tellReturned(to: Tables, issue: IssueId, nowMs: number): void {
  const project = to.issues.get(issue)?.projectId
  if (project === undefined || noticeSettings(to, project).mail) return
  const activity = Math.max(...to.activities.where(({ issueId }) => issueId === issue).map(({ id }) => id))
  queueTellings(to, { activity, followers: followersOf(to, issue), mentions: [] }, byErrata(nowMs))
}

export function queueTellings(
  to: Tables,
  told: {
    readonly activity: number
    readonly followers: readonly UserId[]
    readonly mentions: readonly UserId[]
  },
  actor: Actor,
): void {
  const { activity, ...people } = told
  to.letters.deleteWhere((letter) => letter.telling !== null && hasExpired(letter, actor.atMs))
  const room = roomForTellings(to.letters.where(({ telling }) => telling !== null).length)
  for (const telling of tellingsOf({ ...people, by: actor.userId, room }))
    queue(to, { ...telling, activity }, actor)
}

function queue(
  to: Tables,
  { activity: activityId, userId, isMention }: Telling & { readonly activity: number },
  actor: Actor,
): void {
  const waiting = to.letters.where(({ telling }) => telling?.userId === userId)
  if (!hasRoomFor(waiting.length) || waiting.some(({ telling }) => telling?.activityId === activityId)) return
  const id = to.letters.nextId()
  to.letters.put(id, {
    ...{
      id,
      invitation: null,
      email: '',
      key: randomBytes(16).toString('hex'),
      codeHash: null,
      device: null,
    },
    ...{ telling: { activityId, userId, isMention }, actor: actor.label, address: null },
    ...{
      expiresMs: Math.floor(actor.atMs) + max('followerEmailMs'),
      state: 'waiting',
      tries: 0,
      dueMs: actor.atMs,
    },
    ...{ lease: null, says: null, settledMs: null },
  })
}
