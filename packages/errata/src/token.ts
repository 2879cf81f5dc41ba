import { SCOPES } from '@errata/server/access'
import { openLocalEngine } from '@errata/server/offline/local'
import {
  readOptions,
  requiredOptions,
  SETTING_OPTIONS,
  type Subcommand,
  settingsFrom,
  textOption,
  UsageError,
} from './command-line.ts'
import { tokenAddressText } from './local-answers.ts'

export const tokenCommand: Subcommand = {
  name: ['token', 'create'],
  summary: 'creates a token for the web API',
  help: `errata token create --scopes SCOPE,SCOPE… [--organisation SLUG] [--name NAME] [--data DIR] [--json]

Creates an organisation token and prints it once. --scopes all gives every scope:
  ${SCOPES.join(' ')}
--organisation may be left out while there is one organisation.`,
  async run(args) {
    const values = readOptions(args, {
      ...SETTING_OPTIONS,
      scopes: { type: 'string' },
      organisation: { type: 'string' },
      name: { type: 'string' },
      json: { type: 'boolean' },
    })
    requiredOptions(values, ['scopes'])
    const scopes = scopesFrom(textOption(values, 'scopes') ?? '')
    const local = await openLocalEngine(settingsFrom(values))
    try {
      const organisation = textOption(values, 'organisation') ?? (await local.onlyOrganisation())
      const token = await local.createToken(organisation, {
        name: textOption(values, 'name') ?? 'command line',
        scopes,
      })
      console.log(values.json === true ? JSON.stringify({ token, organisation, scopes }) : token)
      console.error(tokenAddressText(local))
      return 0
    } finally {
      await local.close()
    }
  },
}

function scopesFrom(text: string): readonly string[] {
  if (text === 'all') return [...SCOPES]
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== '')
  const known: readonly string[] = SCOPES
  const unknown = scopes.filter((scope) => !known.includes(scope))
  if (unknown.length > 0) throw new UsageError(`no such scope: ${unknown.join(', ')}`)
  return scopes
}
