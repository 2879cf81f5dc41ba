/** The two halves of a hydration mismatch, as the helper caught them. */
import assert from 'node:assert/strict'
import type { ApiIssue } from '../support/api.ts'
import type { SetUp } from '../support/start-errata.ts'
import { mismatchesOf } from './findings.ts'

/** Describes one mismatch: what each half has, and the cause that Errata should name. */
export interface Differs {
  readonly server: RegExp
  readonly client: RegExp
  readonly cause: string
}

export async function assertHalves(shop: SetUp, issue: ApiIssue, differs: Differs): Promise<void> {
  const mismatches = await mismatchesOf(shop, issue)
  assert.ok(mismatches.length > 0)
  for (const { sent, shown } of mismatches) {
    assert.match(shown?.halves?.server ?? '', differs.server)
    assert.match(shown?.halves?.client ?? '', differs.client)
    assert.notEqual(shown?.halves?.server, shown?.halves?.client)
    assert.deepEqual(sent, { ...shown?.halves, type: 'errata.hydration' })
    assert.equal(shown?.source, 'helper')
    assert.equal(shown?.cause, differs.cause, JSON.stringify(shown))
  }
}

/** Mismatch of a `div` within a `p`, which no browser leaves there. */
export const NESTING: Differs = {
  server: /<p>\s+A note for you:\s+<\/p>\s+<div class="note">\s+closed on Mondays/,
  client: /<p>\s+A note for you:\s+<div class="note">\s+closed on Mondays/,
  cause: 'nesting',
}
