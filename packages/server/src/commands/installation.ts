/** What the operator changes of the whole installation. */
import { isOperator } from '#access/access.ts'
import { seq } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { actorOf, type PersonAsking } from './asking.ts'
import type { CommandParts } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'

export interface InstallationCommands {
  /** What DSNs, snippets and links begin with; refused where `--url` says it. */
  setPublicAddress(asking: PersonAsking, url: string): Promise<Result<null>>
  /** Whoever is the operator took an envelope out: told to the organisation whose it is. */
  noteQuarantineDownload(asking: PersonAsking, seq: number): Promise<void>
}

type InstallationParts = Pick<CommandParts, 'accountsWrite' | 'clock' | 'publicAddress'>

export function installationCommands(parts: InstallationParts): InstallationCommands {
  return {
    setPublicAddress: (asking, url) => setPublicAddress(parts, asking, url),
    noteQuarantineDownload: (asking, taken) =>
      parts.accountsWrite.noteQuarantineDownload(seq(taken), actorOf(parts, asking)),
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
  const checked = read(SCHEMAS.publicAddress, { url })
  if (!checked.ok) return checked
  await parts.accountsWrite.setPublicUrl(checked.value.url, asking.viewer.user.id, actorOf(parts, asking))
  parts.publicAddress.kept(checked.value.url)
  return ok(null)
}
