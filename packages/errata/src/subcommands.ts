/** The subcommands of `errata`, in the order of its help. */
import { backupCommand } from './backup.ts'
import { checkCommand } from './check.ts'
import type { Subcommand } from './command-line.ts'
import { compactCommand } from './compact.ts'
import { rebuildCommand } from './rebuild.ts'
import { REMOTE_COMMANDS } from './remote-commands.ts'
import { resetPasswordCommand } from './reset-password.ts'
import { resetSecondFactorCommand } from './reset-second-factor.ts'
import { restoreCommand } from './restore.ts'
import { serveCommand } from './serve.ts'
import { setupCommand } from './setup.ts'
import { tokenCommand } from './token.ts'

export const SUBCOMMANDS: readonly Subcommand[] = [
  serveCommand,
  setupCommand,
  tokenCommand,
  resetPasswordCommand,
  resetSecondFactorCommand,
  ...REMOTE_COMMANDS,
  checkCommand,
  rebuildCommand,
  compactCommand,
  backupCommand,
  restoreCommand,
]
