/** Every command, over the one writer. */

import { createAgentCodes } from '#access/agent-codes.ts'
import { createChallenges } from '#access/challenges.ts'
import { createPasswordHasher, type PasswordHasher } from '#access/password.ts'
import { createPasswordLimits, createSignInLimits, type SignInLimits } from '#access/sign-in-limits.ts'
import { createWaitingSignIns } from '#access/waiting-sign-ins.ts'
import type { Clock } from '#base/clock.ts'
import type { LimitName } from '#limits/limits.ts'
import { agentClientCommands } from './agent-clients.ts'
import { artifactCommands } from './artifacts.ts'
import type { Changes } from './changes.ts'
import { channelCommands } from './channels.ts'
import { inboxCommands } from './inbox.ts'
import { installationCommands } from './installation.ts'
import { noticeCommands } from './notices.ts'
import { organisationCommands } from './organisation.ts'
import type { CommandParts } from './parts.ts'
import { peopleCommands } from './people.ts'
import { projectCommands } from './projects.ts'
import { proofCommands } from './proofs.ts'
import { runCommand } from './run.ts'
import { secondFactorCommands } from './second-factors.ts'
import { signInCommands } from './sign-in.ts'
import { singleSignOnCommands } from './single-sign-on.ts'
import { slackActionCommands } from './slack-actions.ts'
import { slackLinkCommands } from './slack-links.ts'
import { tokenCommands } from './tokens.ts'
import { trackerWebhookCommands } from './tracker-webhooks.ts'

/**
 * Commands of people: `run(name, asking, input)` (`command.ts` says how one is made), or `name(asking,
 * input)` for those not made so yet: such a command checks the permission itself, then asks the one writer
 * for one named operation. Expected refusals are `Result`s. The input is read by the schemas of `schemas.ts`.
 */
export type Commands = ReturnType<typeof createCommands>

type CommandOptions = Omit<
  CommandParts,
  | 'passwords'
  | 'signInLimits'
  | 'passwordLimits'
  | 'resetLimits'
  | 'invitationLimits'
  | 'channelTestLimits'
  | 'trackerCallLimits'
  | 'challenges'
  | 'waitingSignIns'
  | 'agentCodes'
  | 'agentLimits'
> & {
  readonly passwords?: PasswordHasher
  readonly signInLimits?: SignInLimits
  /** Runs changes on the control store. */
  readonly changes: Changes
}

export function createCommands(options: CommandOptions) {
  const { clock, random } = options
  const parts: CommandParts & { readonly changes: Changes } = {
    ...options,
    passwords: options.passwords ?? createPasswordHasher(),
    challenges: createChallenges({ clock, random }),
    waitingSignIns: createWaitingSignIns({ clock, random }),
    signInLimits: options.signInLimits ?? createSignInLimits({ clock }),
    passwordLimits: createPasswordLimits({ clock }),
    ...letterLimits(clock),
    channelTestLimits: createSignInLimits({
      clock,
      limits: {
        perAddress: 'channelTestsAtOnceMax',
        perAccount: 'channelTestsPerMinute',
        window: 'channelTestWindowMs',
      },
    }),
    agentCodes: createAgentCodes({ clock, random }),
    agentLimits: createSignInLimits({
      clock,
      limits: {
        perAddress: 'agentClientsPerAddress',
        perAccount: 'agentClientsPerAddress',
        window: 'agentClientsWindowMs',
      },
    }),
    trackerCallLimits: createSignInLimits({
      clock,
      limits: {
        perAddress: 'trackerCallsAtOnceMax',
        perAccount: 'trackerCallsPerMinute',
        window: 'trackerCallWindowMs',
      },
    }),
  }
  const run = runCommand(parts)
  return {
    ...signInCommands(parts),
    ...secondFactorCommands(parts),
    ...proofCommands(parts),
    ...singleSignOnCommands(parts),
    ...agentClientCommands(parts),
    ...installationCommands(parts),
    ...organisationCommands(parts),
    ...tokenCommands(parts),
    ...projectCommands(parts),
    ...artifactCommands(parts),
    ...run,
    ...noticeCommands(parts),
    ...inboxCommands(parts),
    ...channelCommands(parts),
    ...trackerWebhookCommands(parts),
    ...slackActionCommands({ ...parts, ...run }),
    ...slackLinkCommands(parts),
    ...peopleCommands(parts),
  }
}

/** Returns the limits of emails to whoever is named. */
function letterLimits(clock: Clock): Pick<CommandParts, 'resetLimits' | 'invitationLimits'> {
  const window = 'lettersWindowMs'
  const limits = (perAddress: LimitName, perAccount: LimitName) =>
    createSignInLimits({ clock, limits: { perAddress, perAccount, window } })
  return {
    resetLimits: limits('resetsPerAddress', 'resetsPerAccount'),
    invitationLimits: limits('invitationMailsPerPerson', 'invitationMailsPerPerson'),
  }
}
