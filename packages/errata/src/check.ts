import { checkDirectory } from '@errata/server/engine-local'
import { readOptions, SETTING_OPTIONS, type Subcommand, settingsFrom } from './command-line.ts'

export const checkCommand: Subcommand = {
  name: ['check'],
  summary: 'looks whether settings and data directory are sound',
  help: `errata check [--data DIR] [--json]

Reads every setting, the control store and the journal, changes nothing, and says what it found. Ends with 1 when
something is wrong.`,
  async run(args) {
    const values = readOptions(args, { ...SETTING_OPTIONS, json: { type: 'boolean' } })
    const settings = settingsFrom(values)
    const findings = await checkDirectory(settings)
    if (values.json === true) console.log(JSON.stringify(findings))
    else
      for (const { ok, name, detail } of findings)
        console.log(`${ok ? 'ok   ' : 'WRONG'}  ${name.padEnd(16)}${detail}`)
    return findings.every(({ ok }) => ok) ? 0 : 1
  },
}
