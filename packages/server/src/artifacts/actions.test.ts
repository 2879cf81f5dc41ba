/** Server actions in bundles: everything is hostile, and nothing is a reason to refuse the bundle. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { aManifest, aZip } from '#testing/builders/artifact-bundle.ts'
import { actionsOfBundle } from './actions.ts'
import { openBundle } from './bundle.ts'

async function read(text: string | null) {
  const bytes = Buffer.from(text ?? '')
  const file = { name: 'files/_/_/server-actions.json', bytes, isDeflated: false }
  const zip = aZip([...(text === null ? [] : [file]), aManifest({})])
  const bundle = await openBundle({
    bytes: zip.length,
    read: async (at, length) => zip.subarray(at, at + length),
    close: async () => {},
  })
  return actionsOfBundle(bundle)
}

describe('the server actions of a bundle', () => {
  it('are read where they say a file', async () => {
    const text = JSON.stringify({
      ...{ aa: { file: 'app/a.ts', name: 'pay' }, bb: { file: 'app/b.ts' }, cc: { name: 'go' }, dd: 7 },
      'e e': { file: 'app/e.ts' },
    })
    assert.deepEqual(await read(text), [
      { id: 'aa', file: 'app/a.ts', name: 'pay' },
      { id: 'bb', file: 'app/b.ts', name: '' },
    ])
  })

  it('are none of a bundle without them, and of what is no list', async () => {
    for (const text of [null, '', '[', '[]', '7', 'null']) assert.deepEqual(await read(text), [])
  })

  it('are bounded in number and in bytes', async () => {
    const many = Array.from({ length: max('bundleActionsMax') + 1 }, (_, at) => [`a${at}`, { file: 'a.ts' }])
    assert.equal((await read(JSON.stringify(Object.fromEntries(many)))).length, max('bundleActionsMax'))
    const long = JSON.stringify({ aa: { file: 'a.ts', name: 'x'.repeat(max('bundleActionsBytesMax')) } })
    assert.deepEqual(await read(long), [])
  })
})
