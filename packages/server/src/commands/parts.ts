/** Parts of commands. Each file of this folder takes only those that it calls. */

import type { Accept } from '#accept/types.ts'
import type { AgentCodes } from '#access/agent-codes.ts'
import type { Challenges } from '#access/challenges.ts'
import type { PasswordHasher } from '#access/password.ts'
import type { SecretSeal } from '#access/seal.ts'
import type { PasswordLimits, SignInLimits } from '#access/sign-in-limits.ts'
import type { WaitingSignIns } from '#access/waiting-sign-ins.ts'
import type { Artifacts } from '#artifacts/artifact-work.ts'
import type { Clock } from '#base/clock.ts'
import type { ProjectId } from '#base/ids.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { Random } from '#base/random.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import type { NoticeTests } from '#notices/notices.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { AgentClientsRead } from '#ports/agent-clients.ts'
import type { AlertsRead } from '#ports/alerts.ts'
import type { LargeBlobs } from '#ports/blobs.ts'
import type { ChannelsRead } from '#ports/channels.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { MessagesRead } from '#ports/messages.ts'
import type { NoticesRead } from '#ports/notices.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { SecondFactorsRead } from '#ports/second-factors.ts'
import type { SingleSignOnRead } from '#ports/single-sign-on.ts'
import type { TrackersRead } from '#ports/trackers.ts'
import type { AgentClientQueries } from '#queries/agent-clients.ts'
import type { IssueSearch } from '#queries/search/issue-search.ts'
import type { SharingQueries } from '#queries/sharing-types.ts'
import type { TextLookup } from '#sign-in/domain-proof.ts'
import type { FlowSeal } from '#sign-in/flow.ts'
import type { Calls } from '#sign-in/oidc.ts'
import type { Asking } from './asking.ts'
import type { PersonData } from './person-deletion.ts'

export interface CommandParts {
  readonly accounts: AccountsRead
  readonly secondFactors: SecondFactorsRead
  /** Seals secrets that are read again. */
  readonly seal: SecretSeal
  readonly challenges: Challenges
  readonly waitingSignIns: WaitingSignIns
  readonly projects: ProjectsRead
  readonly issues: Pick<IssuesRead, 'issuesByRefs'>
  readonly releases: Pick<ReleasesRead, 'release'>
  /** Absent on the command line, which has no column store. */
  readonly deletion?: DeletionStep
  /** Absent on the command line, which sends nothing. */
  readonly notices?: NoticeSettingsParts
  /** Absent on the command line, which sends nothing. */
  readonly alerts?: AlertParts
  /** Absent on the command line, which calls nobody. */
  readonly trackers?: TrackerParts
  /** Absent on the command line, which evaluates nothing. */
  readonly alertRules?: AlertRuleParts
  /** Absent on the command line, which has no column store. */
  readonly people?: PersonData
  /** Absent on the command line, which leaves large blobs to upkeep. */
  readonly largeBlobs?: Pick<LargeBlobs, 'remove'>
  /** Absent on the command line, which takes no uploads. */
  readonly artifacts?: Artifacts
  /** Selects issues by search; absent on the command line, which changes no issues. */
  readonly queries?: { readonly search: Pick<IssueSearch, 'select'> } & Pick<
    SharingQueries,
    'issueMarkdown'
  > &
    Pick<AgentClientQueries, 'agentAsk'>
  readonly accept: Pick<Accept, 'accept'>
  readonly clock: Clock
  readonly random: Random
  readonly publicAddress: PublicAddress
  /** First path segments of the app: no organisation may be called so. */
  readonly reservedSlugs: readonly string[]
  /** Awaited after every change of projects or keys, so that ingest knows at once. */
  readonly onDirectoryChanged: () => Promise<void>
  readonly passwords: PasswordHasher
  /** Limits tries of codes, passkeys and passwords by signed-in people. */
  readonly signInLimits: SignInLimits
  /** Limits tries of passwords. */
  readonly passwordLimits: PasswordLimits
  /** Limits reset links asked for by mail. */
  readonly resetLimits: SignInLimits
  /** Limits tests of channels, per organisation. */
  readonly channelTestLimits: SignInLimits
  /** Limits issues created and linked in trackers, per organisation. */
  readonly trackerCallLimits: SignInLimits
  /** Limits invitations sent by mail, per person. */
  readonly invitationLimits: SignInLimits
  /** Absent without a mail server, and on the command line. */
  readonly mailRoom?: MailRoom | undefined
  /** Absent on the command line, where nobody signs in. */
  readonly singleSignOn?: SignOnParts
  /** Absent on the command line, where nobody connects apps. */
  readonly agents?: AgentClientsRead
  readonly agentCodes: AgentCodes
  /** Limits apps that register themselves. */
  readonly agentLimits: SignInLimits
}

interface SignOnParts {
  readonly read: SingleSignOnRead
  readonly calls: Calls
  readonly lookUpTexts: TextLookup
  readonly seal: FlowSeal
}

/** Room where links are left to be emailed. */
export interface MailRoom {
  /** Something was left. */
  readonly wake: () => void
}

interface DeletionStep {
  /** Told after every deletion: what ingest remembers of groups may be of those that are gone. */
  readonly onDeleted: () => void
}

export interface NoticeSettingsParts {
  readonly read: NoticesRead
  readonly tests: NoticeTests
}

export interface AlertParts {
  readonly channels: ChannelsRead
  readonly messages: MessagesRead
  readonly tests: Pick<NoticeTests, 'sendMessage' | 'webhookUrl' | 'call'>
  /** Something was queued. */
  readonly wake: () => void
}

export interface TrackerParts {
  readonly read: TrackersRead
  readonly tests: Pick<NoticeTests, 'call' | 'webhookUrl'>
  /** Version of Errata, as calls state it. */
  readonly version: string
  /** Something may have been queued. */
  readonly wake: () => void
}

export interface AlertRuleParts {
  readonly read: AlertsRead
  /** Messages were queued. */
  readonly wake: () => void
}

/** Finds the project of a change; nobody whose role does not allow it comes so far. */
export async function knownProject<Asked extends { readonly project: ProjectId }>(
  { projects }: Pick<CommandParts, 'projects'>,
  { scope }: Asking,
  asked: Asked,
): Promise<Result<Asked>> {
  const project = await projects.project(scope, String(asked.project))
  return project === null ? refuse('not_found', 'There is no such project.') : ok(asked)
}

/** Makes a change of projects or keys known to ingest before the command answers. */
export function announce({ onDirectoryChanged }: Pick<CommandParts, 'onDirectoryChanged'>): Promise<void> {
  return onDirectoryChanged()
}
