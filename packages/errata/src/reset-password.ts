import { openLocalEngine } from '@errata/server/offline/local'
import {
  readOptions,
  requiredOptions,
  SETTING_OPTIONS,
  type Subcommand,
  settingsFrom,
  textOption,
} from './command-line.ts'
import { COMMAND_LINE_FACTS, unwrap } from './local-answers.ts'

export const resetPasswordCommand: Subcommand = {
  name: ['user', 'reset-password'],
  summary: 'creates a password reset link',
  help: `errata user reset-password --email EMAIL [--data DIR] [--url URL] [--json]

Prints a link that works once and expires in seven days. Setting the password ends every session of the account.`,
  async run(args) {
    const values = readOptions(args, {
      ...SETTING_OPTIONS,
      email: { type: 'string' },
      json: { type: 'boolean' },
    })
    requiredOptions(values, ['email'])
    const local = await openLocalEngine(settingsFrom(values))
    try {
      const { url } = unwrap(
        await local.commands.createPasswordReset(COMMAND_LINE_FACTS, textOption(values, 'email') ?? ''),
      )
      console.log(values.json === true ? JSON.stringify({ url }) : url)
      return 0
    } finally {
      await local.close()
    }
  },
}
