/** Commands that root runs on the data of a server that runs as somebody else: its owner can go on with all of it. */
import assert from 'node:assert/strict'
import { chown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { errata, newDataDirectory, OWNER, setUp } from '../support/start-errata.ts'

/** No user of the machine. */
const OWNER_ID = 12_345

it('root leaves a directory to its owner, whatever command it runs', async (t) => {
  if (process.geteuid?.() !== 0) return t.skip('needs root: nobody else gives files away')
  const data = await newDataDirectory()
  await chown(data, OWNER_ID, OWNER_ID)
  await setUp(data, 'http://localhost:9000')
  const backup = join(await newDataDirectory(), 'backup')
  const at = ['--data', data]
  const commands = [
    ['token', 'create', '--name', 'ci', '--scopes', 'event:read', ...at],
    ['user', 'reset-password', '--email', OWNER.email, '--url', 'http://localhost:9000', ...at],
    ['check', ...at],
    ['compact', ...at],
    ['rebuild', ...at],
    ['backup', backup, ...at],
  ]
  for (const command of commands) {
    await errata(command)
    assert.deepEqual(await ofOthers(data), [], command.join(' '))
  }
  assert.ok((await readdir(data)).length > 0)
})

async function ofOthers(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory, { recursive: true })
  const owners = await Promise.all(
    names.map(async (name) => [name, (await lstat(join(directory, name))).uid]),
  )
  return owners.flatMap(([name, uid]) => (uid === OWNER_ID ? [] : [`${name} of ${uid}`]))
}
