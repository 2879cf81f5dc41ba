import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkDirectory, type Finding } from '@errata/server/engine-local'
import type { Settings } from '@errata/server/settings'
import { readOptions, SETTING_OPTIONS, type Subcommand, settingsFrom } from './command-line.ts'

export const checkCommand: Subcommand = {
  name: ['check'],
  summary: 'looks whether settings and data directory are sound',
  help: `errata check [--data DIR] [--deep] [--json]

Reads every setting, the control store and the journal, changes nothing, and says what it found. Ends with 1 when
something is wrong.

  --deep   reads every payload, column and count and holds them against each other; refuses while a server uses the
           directory`,
  async run(args) {
    const values = readOptions(args, {
      ...SETTING_OPTIONS,
      deep: { type: 'boolean' },
      json: { type: 'boolean' },
    })
    const settings = settingsFrom(values)
    const findings = [
      ...(await checkDirectory(settings)),
      ...(values.deep === true ? await deepFindings(settings) : []),
    ]
    if (values.json === true) console.log(JSON.stringify(findings))
    else
      for (const { ok, name, detail } of findings)
        console.log(`${ok ? 'ok   ' : 'WRONG'}  ${name.padEnd(22)}${detail}`)
    return findings.every(({ ok }) => ok) ? 0 : 1
  },
}

/** Nothing is there to be read before the first start. */
async function deepFindings(settings: Settings): Promise<readonly Finding[]> {
  if (!existsSync(join(settings.data, 'control.sqlite'))) return []
  const { deepCheckDirectory } = await import('@errata/server/engine-upkeep')
  return deepCheckDirectory(settings)
}
