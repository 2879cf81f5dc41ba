/** A person's data as project settings delete it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signIn } from '../support/person.ts'
import { OWNER, startShop } from '../support/start-errata.ts'

describe('deleting a person’s data', () => {
  it('goes on where no event names the person, once that number is typed', async () => {
    await using running = await startShop()
    const rosa = await signIn(running.url, OWNER)
    const act = async (confirm: string) => {
      const input = { by: 'email', person: 'ada@example.com', confirm }
      return (await rosa.act('person.delete', '/shop/projects/web/settings/danger', input)).text()
    }
    assert.match(await act(''), /No events identify this person\. .* Type 0 to confirm\./)
    assert.match(await act('1'), /Type 0 to confirm\./)
    assert.match(await act('0'), /"events":0/)
  })
})
