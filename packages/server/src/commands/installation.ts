/** What the operator changes of the whole installation. */
import { isOperator } from '#access/access.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { actorOf, type PersonAsking } from './asking.ts'
import type { CommandParts } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'

export interface InstallationCommands {
  /** What DSNs, snippets and links begin with; refused where `--url` says it. */
  setPublicAddress(asking: PersonAsking, url: string): Promise<Result<null>>
}

type InstallationParts = Pick<CommandParts, 'accountsWrite' | 'clock' | 'publicAddress'>

export function installationCommands(parts: InstallationParts): InstallationCommands {
  return { setPublicAddress: (asking, url) => setPublicAddress(parts, asking, url) }
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
