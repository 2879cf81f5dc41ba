/** Builders of rows and scopes for tests of stores. */
import { randomBytes } from 'node:crypto'
import { day, type EventId, groupHash, orgId, type ProjectId, projectId, seq } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { ReadScope } from '#ports/scope.ts'
import { scopeForTest } from '../../builders/scope.ts'

export const SHOP = projectId(3)
export const BLOG = projectId(4)
export const FIRST_DAY = day(20_000)
export const GROUP_A = groupHash('a'.repeat(32))
export const GROUP_B = groupHash('b'.repeat(32))

/** A random id, as SDKs make them. */
export function anEventId(): EventId {
  return randomBytes(16).toString('hex') as EventId // 32 lower-case hex characters
}

/** An id that sorts by its number. */
export function eventIdOf(number: number): EventId {
  return number.toString(16).padStart(32, '0') as EventId // 32 lower-case hex characters
}

export function anEventRow(changed: Partial<EventRow> = {}): EventRow {
  return {
    seq: seq(1),
    projectId: SHOP,
    groupHash: GROUP_A,
    eventId: anEventId(),
    timestampMs: 1_728_000_000_000.5,
    receivedMs: 1_728_000_001_000,
    day: FIRST_DAY,
    retentionDays: 90,
    level: 'error',
    platform: 'javascript',
    title: 'TypeError: total is not a function',
    culprit: 'OrderTotals in app/orders/[id]/totals.tsx',
    environment: 'production',
    release: 'shop@1.2.3',
    dist: null,
    transaction: 'GET /orders/[id]',
    browser: 'Chrome 140',
    os: 'Windows 11',
    runtime: 'node v24.21.0',
    device: null,
    serverName: 'web-1',
    url: 'https://shop.example.com/orders/7',
    user: 'id:42',
    people: ['id:42', 'email:ada@example.com'],
    handled: false,
    traceId: '0123456789abcdef0123456789abcdef',
    spanId: null,
    requestKind: 'document',
    route: '/orders/[id]',
    sdk: 'sentry.javascript.nextjs/10.2.0',
    isMirror: false,
    tags: [
      ['environment', 'production'],
      ['release', 'shop@1.2.3'],
    ],
    ...changed,
  }
}

/** A row of that file. */
export function inFile({ day, retentionDays }: FileName): Pick<EventRow, 'day' | 'retentionDays'> {
  return { day, retentionDays }
}

/** What `access` builds for a viewer of these projects. */
export function aScope(...projects: readonly ProjectId[]): ReadScope {
  return scopeForTest({ orgId: orgId(1), projects })
}
