import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ROLES } from '#ports/accounts.ts'
import { SCOPE_GROUPS, SCOPES, scopesWithin } from './permissions.ts'

describe('scopes of tokens', () => {
  it('are each explained once', () => {
    const explained = SCOPE_GROUPS.flatMap(({ scopes }) => scopes.map(({ scope }) => scope))
    assert.deepEqual(explained.toSorted(), SCOPES.toSorted())
    for (const { scopes } of SCOPE_GROUPS) for (const { what } of scopes) assert.match(what, /^[A-Z]/)
  })

  it('are given by whoever may do themselves what they allow', () => {
    assert.deepEqual(scopesWithin('owner'), SCOPES)
    assert.ok(!scopesWithin('manager').includes('org:write'))
    assert.ok(scopesWithin('manager').includes('project:admin'))
    assert.ok(!scopesWithin('viewer').includes('event:write'))
    for (const role of ROLES) assert.ok(scopesWithin(role).includes('event:read'), role)
  })
})
