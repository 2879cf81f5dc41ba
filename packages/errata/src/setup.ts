import { SCOPES } from '@errata/server/access'
import { type LocalEngine, openLocalEngine } from '@errata/server/offline/local'
import {
  readOptions,
  requiredOptions,
  SETTING_OPTIONS,
  type Subcommand,
  settingsFrom,
  textOption,
} from './command-line.ts'
import { COMMAND_LINE_FACTS, tokenAddressText, unwrap } from './local-answers.ts'

const OPTIONS = ['email', 'password', 'organisation', 'project'] as const

export const setupCommand: Subcommand = {
  name: ['setup'],
  summary: 'creates the first owner, organisation, project and token',
  help: `errata setup --email EMAIL --password PASSWORD --organisation NAME --project NAME [--platform NAME] [--data DIR] [--url URL] [--json]

Creates the first owner with an organisation, its first project and a token with all scopes, before "errata serve" or
while it runs. Prints {url, dsn, token, organisation, project}; the last two are slugs. The token carries the address in
--url, else that of --port, else the one where "errata serve" listens, or last did, on this data directory. If none is
known, it carries none, and tools need SENTRY_URL.`,
  async run(args) {
    const values = readOptions(args, {
      ...SETTING_OPTIONS,
      ...Object.fromEntries(
        [...OPTIONS, 'platform', 'name'].map((name) => [name, { type: 'string' as const }]),
      ),
      json: { type: 'boolean' },
    })
    requiredOptions(values, OPTIONS)
    const settings = settingsFrom(values)
    const local = await openLocalEngine(settings)
    try {
      const text = (name: string) => textOption(values, name) ?? ''
      const made = unwrap(
        await local.commands.setup(COMMAND_LINE_FACTS, {
          code: null,
          email: text('email'),
          password: text('password'),
          organisation: text('organisation'),
          project: text('project'),
          platform: textOption(values, 'platform') ?? null,
          url: addressToKeep(local.publicAddress),
          ...(textOption(values, 'name') === undefined ? {} : { name: text('name') }),
        }),
      )
      const token = await local.createToken(made.organisation, { name: 'setup', scopes: [...SCOPES] })
      const answer = {
        url: local.publicAddress.url,
        dsn: made.dsn,
        token,
        organisation: made.organisation,
        project: made.project,
      }
      console.log(values.json === true ? JSON.stringify(answer) : asLines(answer))
      // Beside what programs read.
      console.error(tokenAddressText(local))
      return 0
    } finally {
      await local.close()
    }
  },
}

/** An address below a path is the proxy's: the server needs it at every start. */
function addressToKeep({ isFixed, basePath, origin }: LocalEngine['publicAddress']): string | null {
  return isFixed && basePath === '' ? origin : null
}

function asLines(answer: Readonly<Record<string, string>>): string {
  return Object.entries(answer)
    .map(([name, value]) => `${name.padEnd(14)}${value}`)
    .join('\n')
}
