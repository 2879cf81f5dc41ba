import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { groupMemory } from './group-memory.ts'

function machine(t: TestContext, files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'errata-group-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return groupMemory({ root, own: join(root, 'own') })
}

describe('memory as the control group counts it', () => {
  const stat = 'anon 100\ninactive_file 30\nactive_file 20\nslab 5\n'
  it('leaves out files that can be read again, of version 2', (t) => {
    const found = machine(t, { own: '0::/\n', 'memory.current': '400\n', 'memory.stat': stat })
    assert.deepEqual(found, { usedBytes: 350 })
  })

  it('is of the own group, where the machine shows it', (t) => {
    const found = machine(t, {
      ...{ own: '0::/system.slice/errata.service\n', 'memory.current': '9000\n', 'memory.stat': stat },
      'system.slice/errata.service/memory.current': '400\n',
      'system.slice/errata.service/memory.stat': stat,
    })
    assert.deepEqual(found, { usedBytes: 350 })
  })

  it('is read of version 1, and at the root of a container', (t) => {
    const total = 'total_inactive_file 30\ntotal_active_file 20\n'
    const own = '4:memory:/docker/abc\n0::/\n'
    const files = { own, 'memory/memory.usage_in_bytes': '400\n', 'memory/memory.stat': total }
    assert.deepEqual(machine(t, files), { usedBytes: 350 })
  })

  it('is not known where nothing says so', (t) => {
    assert.equal(machine(t, {}), null)
    assert.equal(machine(t, { own: '0::/\n', 'memory.current': 'max\n', 'memory.stat': stat }), null)
  })
})
