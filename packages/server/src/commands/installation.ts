/** Commands of the operator about the installation. */
import { isOperator } from '#access/access.ts'
import { MINUTE_MS } from '#base/durations.ts'
import { seq } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { actorOf, type PersonAsking } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'

interface InstallationCommands {
  /** Sets what DSNs, snippets and links begin with; refused if `--url` sets it. */
  setPublicAddress(asking: PersonAsking, url: string): Promise<Result<null>>
  /** Whoever is the operator took an envelope out: told to the organisation whose it is. */
  noteQuarantineDownload(asking: PersonAsking, seq: number): Promise<void>
  /** Sends whoever asks an email; the outcome is honest. */
  testMail(asking: PersonAsking): Promise<Result<TestMailOutcome>>
}

export interface TestMailOutcome {
  readonly sent: boolean
  readonly says: string
  readonly to: string
}

type InstallationParts = Pick<CommandParts, 'clock' | 'publicAddress' | 'notices'> & {
  readonly changes: Changes
}

export function installationCommands(parts: InstallationParts): InstallationCommands {
  /** When the last ones were sent, of all operators. */
  const sentMs: number[] = []
  return {
    setPublicAddress: (asking, url) => setPublicAddress(parts, asking, url),
    noteQuarantineDownload: (asking, taken) =>
      parts.changes.own('noteQuarantineDownload', { seq: seq(taken), actor: actorOf(parts, asking) }),
    testMail: (asking) => sendTestMail(parts, asking, sentMs),
  }
}

async function setPublicAddress(
  parts: InstallationParts,
  asking: PersonAsking,
  url: string,
): Promise<Result<null>> {
  if (!isOperator(asking.viewer))
    return refuse('forbidden', 'Only the operator of the installation sets its address.')
  if (parts.publicAddress.isFixed)
    return refuse('conflict', 'The address is set by --url. Start Errata with another one.')
  const checked = readInput(SCHEMAS.publicAddress, { url })
  if (!checked.ok) return checked
  const { url: kept } = checked.value
  const actor = actorOf(parts, asking)
  await parts.changes.own('setPublicUrl', { url: kept, user: asking.viewer.user.id, actor })
  parts.publicAddress.kept(kept)
  return ok(null)
}

async function sendTestMail(
  { notices, clock }: InstallationParts,
  { viewer }: PersonAsking,
  sentMs: number[],
): Promise<Result<TestMailOutcome>> {
  if (!isOperator(viewer))
    return refuse('forbidden', 'Only the operator of the installation sends test emails.')
  const send = notices?.tests.sendTestMail ?? null
  if (send === null) return refuse('conflict', 'No mail server is configured (--smtp-url, --mail-from).')
  const nowMs = clock.elapsed()
  sentMs.splice(0, sentMs.length, ...sentMs.filter((atMs) => nowMs - atMs < MINUTE_MS))
  if (sentMs.length >= max('mailTestsPerMinute'))
    return refuse('rate_limited', 'Too many test emails. Try again in a minute.')
  sentMs.push(nowMs)
  const { email, name } = viewer.user
  const { outcome, says } = await send({ email, name })
  return ok({ sent: outcome === 'sent', says, to: email })
}
