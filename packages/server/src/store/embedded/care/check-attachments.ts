/** Reads every attachment that is kept and holds it against what its row says: length and hash. Changes nothing. */

import { createHash } from 'node:crypto'
import { byteSizeText, countText } from '#base/byte-size.ts'
import type { Day } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { type Hidden, HiddenRules } from '#model/hidden.ts'
import { ATTACHMENT_NAME, largeName } from '#model/large-item.ts'
import type { StoredAttachment } from '#ports/attachments.ts'
import type { LargeBlobs } from '#ports/blobs.ts'
import type { Finding } from './deep-check.ts'
import type { AttachmentsUpkeep } from './stores/control.ts'

export interface AttachmentsCheck {
  readonly control: Pick<AttachmentsUpkeep, 'attachmentsAfter'>
  readonly largeBlobs: Pick<LargeBlobs, 'read'>
  /** Deleted and expired ones may be gone already. */
  readonly hidden: Hidden
  readonly today: Day
}

const NAME = 'attachments'
/** Next step: no other store holds their content. */
const NEXT =
  '"errata restore" brings it back where a backup holds it; deleting it on its event ends this message'

export async function checkAttachments(options: AttachmentsCheck): Promise<readonly Finding[]> {
  const { control, hidden, today } = options
  const rules = new HiddenRules(hidden, today)
  const problems: string[] = []
  let count = 0
  let bytes = 0
  for (let after: StoredAttachment | null = null; ; ) {
    const page = await control.attachmentsAfter(after, max('attachmentsSweptAtOnce'))
    for (const attachment of page) {
      if (rules.hides(attachment, attachmentFile(attachment))) continue
      count++
      bytes += attachment.bytes
      const problem = await attachmentProblem(options, attachment)
      if (problem === null) continue
      const { projectId, eventId, id } = attachment
      problems.push(`attachment ${id} of event ${eventId} in project ${projectId} ${problem}: ${NEXT}`)
    }
    after = page.at(-1) ?? null
    if (after === null) break
  }
  const most = max('checkFindingsMax')
  const findings = problems.slice(0, most).map((detail) => ({ ok: false, name: NAME, detail }))
  if (problems.length > most)
    findings.push({ ok: false, name: NAME, detail: `and ${problems.length - most} more` })
  if (findings.length > 0) return findings
  const detail = `${countText(count, 'attachment')}, ${byteSizeText(bytes)}, each as it came`
  return [{ ok: true, name: NAME, detail }]
}

async function attachmentProblem(
  { largeBlobs }: AttachmentsCheck,
  attachment: StoredAttachment,
): Promise<string | null> {
  const { projectId, id, bytes, sha256 } = attachment
  try {
    const content = await largeBlobs.read(largeName({ file: attachmentFile(attachment), projectId, id }))
    if (content === null) return 'has lost its file'
    const hash = createHash('sha256')
    let found = 0
    for await (const piece of content) {
      hash.update(piece)
      found += piece.length
    }
    if (found !== bytes) return `has ${found} of ${bytes} bytes`
    return hash.digest('hex') === sha256 ? null : 'is not what came: its hash differs'
  } catch (cause) {
    return `cannot be read (${cause instanceof Error ? cause.message : String(cause)})`
  }
}

function attachmentFile({ day, retentionDays }: StoredAttachment): FileName {
  return { kind: ATTACHMENT_NAME, day, retentionDays }
}
