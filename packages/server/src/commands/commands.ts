/** Every command, over the one writer. */
import { createPasswordHasher, type PasswordHasher } from '#access/password.ts'
import { createSignInLimits, type SignInLimits } from '#access/sign-in-limits.ts'
import { issueCommands } from './issues.ts'
import { noticeCommands } from './notices.ts'
import { organisationCommands } from './organisation.ts'
import type { CommandParts } from './parts.ts'
import { peopleCommands } from './people.ts'
import { projectCommands } from './projects.ts'
import { signInCommands } from './sign-in.ts'
import { teamAndTokenCommands } from './teams-and-tokens.ts'
import type { Commands } from './types.ts'

export type CommandOptions = Omit<CommandParts, 'passwords' | 'signInLimits'> & {
  readonly passwords?: PasswordHasher
  readonly signInLimits?: SignInLimits
}

export function createCommands(options: CommandOptions): Commands {
  const parts: CommandParts = {
    ...options,
    passwords: options.passwords ?? createPasswordHasher(),
    signInLimits: options.signInLimits ?? createSignInLimits({ clock: options.clock }),
  }
  return {
    ...signInCommands(parts),
    ...organisationCommands(parts),
    ...teamAndTokenCommands(parts),
    ...projectCommands(parts),
    ...issueCommands(parts),
    ...noticeCommands(parts),
    ...peopleCommands(parts),
  }
}
