import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { confirmWords } from './confirm-words.ts'

describe('what somebody confirms, in words', () => {
  it('names what it is done to', () => {
    assert.equal(confirmWords('project.delete', 'storefront'), 'delete the project storefront')
    assert.equal(confirmWords('project.delete', null), 'delete a project')
    assert.equal(confirmWords('member.remove', 'rosa@shop.example'), 'remove rosa@shop.example')
  })

  it('says nothing that an address alone says', () => {
    for (const action of ['hand over your account', 'constructor', '', null])
      assert.equal(confirmWords(action, 'now'), null)
  })

  it('knows actions that there are', () => {
    const web = join(import.meta.dirname, '..')
    const sources = globSync('**/*.server.ts', { cwd: web }).map((file) =>
      readFileSync(join(web, file), 'utf8'),
    )
    const known = [
      'account.passkey-rename',
      'member.set-role',
      'project.delete',
      'token.create',
      'org.second-factor',
      'sign-in.save',
      'sign-in.remove',
    ]
    for (const action of known) {
      assert.ok(confirmWords(action, null) !== null, action)
      assert.ok(
        sources.some((source) => source.includes(`'${action}'`)),
        action,
      )
    }
  })
})
