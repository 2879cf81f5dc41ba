import assert from 'node:assert/strict'
import { it } from 'node:test'
import { max } from '#limits/limits.ts'
import { refuseLetters } from './letters.ts'

it('refuses an organisation’s letters beyond its share, and everybody’s when all places are taken', () => {
  const [all, share] = [max('lettersWaitingMax'), max('invitationsWaitingMax')]
  assert.equal(refuseLetters({ ofKind: all - 1, ofOrganisation: share - 1 }), null)
  assert.notEqual(refuseLetters({ ofKind: share, ofOrganisation: share }), null)
  assert.notEqual(refuseLetters({ ofKind: all, ofOrganisation: 0 }), null)
})
