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

export const resetSecondFactorCommand: Subcommand = {
  name: ['user', 'reset-second-factor'],
  summary: 'removes passkeys, app and recovery codes',
  help: `errata user reset-second-factor --email EMAIL [--data DIR]

For someone who has lost every device and recovery code. Removes their passkeys, authenticator app and recovery codes
and ends every session of the account. The password stays.`,
  async run(args) {
    const values = readOptions(args, { ...SETTING_OPTIONS, email: { type: 'string' } })
    requiredOptions(values, ['email'])
    const email = textOption(values, 'email') ?? ''
    const local = await openLocalEngine(settingsFrom(values))
    try {
      unwrap(await local.commands.removeSecondFactors(COMMAND_LINE_FACTS, email))
      console.log(`${email} no longer has a second factor.`)
      return 0
    } finally {
      await local.close()
    }
  },
}
