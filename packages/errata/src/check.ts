import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkDirectory, type Finding } from '@errata/server/offline/check'
import type { Settings } from '@errata/server/settings'
import { readOptions, SETTING_OPTIONS, type Subcommand, settingsFrom } from './command-line.ts'

export const checkCommand: Subcommand = {
  name: ['check'],
  summary: 'checks the settings and the data directory',
  help: `errata check [--data DIR] [--deep] [--json]

Reads every setting, the control store and the journal, changes nothing, and says what it found. Ends with 1 when
something is wrong.

  --deep   reads and compares every payload, column and count; refuses while a server uses the directory`,
  async run(args) {
    const values = readOptions(args, {
      ...SETTING_OPTIONS,
      deep: { type: 'boolean' },
      json: { type: 'boolean' },
    })
    const settings = settingsFrom(values)
    const found = await checkDirectory(settings)
    const findings = values.deep === true ? [...found, ...(await deepFindings(settings, found))] : found
    if (values.json === true) console.log(JSON.stringify(findings))
    else for (const line of tableOf(findings)) console.log(line)
    return findings.every(({ ok }) => ok) ? 0 : 1
  },
}

/** The column of names is as wide where all are shorter. */
const NAME_CHARS = 20
/** Spaces between a name and what was found. */
const GAP = 2

function tableOf(findings: readonly Finding[]): readonly string[] {
  const width = Math.max(NAME_CHARS, ...findings.map(({ name }) => name.length)) + GAP
  return findings.map(({ ok, name, detail }) => `${ok ? 'ok   ' : 'WRONG'}  ${name.padEnd(width)}${detail}`)
}

/**
 * Nothing is there to be read before the first start. What was found before is worth most where the stores cannot be
 * read: a deep check that fails is one more line.
 */
async function deepFindings(settings: Settings, found: readonly Finding[]): Promise<readonly Finding[]> {
  if (!existsSync(join(settings.data, 'control.sqlite'))) return []
  // Opening a damaged control store would write to it.
  if (found.some(({ ok, name }) => !ok && name === 'control store')) {
    return [undone('the control store can’t be read, and everything else needs it')]
  }
  try {
    const { deepCheckDirectory } = await import('@errata/server/offline/upkeep')
    return await deepCheckDirectory(settings)
  } catch (cause) {
    return [undone(cause instanceof Error ? cause.message : String(cause))]
  }
}

function undone(why: string): Finding {
  return { ok: false, name: 'deep check', detail: `the deep check could not be done: ${why}` }
}
