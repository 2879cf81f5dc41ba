import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as v from 'valibot'
import { picks } from './pick.ts'

const TEAM = v.object({
  id: v.string(),
  slug: v.string(),
  size: v.nullable(v.number()),
  role: v.optional(v.string()),
})
interface Team {
  readonly id: number
  readonly slug: string
  readonly size: number | null
  readonly secret: string
}
const team: Team = { secret: 'never sent', size: null, slug: 'shop', id: 5 }

describe('picking an answer', () => {
  it('takes fields by their names, reads the others, and sends none that the schema does not name', () => {
    const pick = picks(TEAM).from<Team>({ id: ({ id }) => String(id) })
    assert.deepEqual(Object.keys(pick(team)), ['id', 'slug', 'size', 'role'])
    assert.equal(JSON.stringify(pick(team)), '{"id":"5","slug":"shop","size":null}')
  })

  it('keeps what a JSON of a store had more of to itself', () => {
    const stored: Team = JSON.parse(
      '{"id":1,"slug":"a","size":2,"secret":"s","__proto__":{"role":"x"},"toString":1}',
    )
    const pick = picks(TEAM).from<Team>({ id: ({ id }) => String(id) })
    assert.equal(JSON.stringify(pick(stored)), '{"id":"1","slug":"a","size":2}')
  })

  it('hands on what an answer hangs on beside its source', () => {
    const pick = picks(TEAM).from<Team, 'admin' | null>({
      id: ({ id }) => String(id),
      slug: ({ slug }) => slug.toUpperCase(),
      role: (_, role) => role ?? undefined,
    })
    assert.equal(JSON.stringify(pick(team, 'admin')), '{"id":"5","slug":"SHOP","size":null,"role":"admin"}')
    assert.equal(JSON.stringify(pick(team, null)), '{"id":"5","slug":"SHOP","size":null}')
  })

  it('answers each row anew', () => {
    const pick = picks(TEAM).from<Team>({ id: ({ id }) => String(id) })
    const [first, second] = [pick(team), pick({ ...team, id: 6, size: 3 })]
    assert.deepEqual([first.id, first.size, second.id, second.size], ['5', null, '6', 3])
  })
})
