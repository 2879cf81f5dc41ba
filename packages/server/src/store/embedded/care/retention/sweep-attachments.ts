/** Removes attachments that nobody may see any more, and large blobs that no row names. */

import { setImmediate } from 'node:timers/promises'
import { type Day, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { ATTACHMENT_NAME, largeName, readLargeName } from '#model/large-item.ts'
import type { AttachmentBlob } from '#ports/attachments.ts'
import type { FileBytes } from '#ports/care.ts'
import type { AttachmentsUpkeep } from '../stores/control.ts'
import type { BlobEntry, LargeBlobCare } from '../stores/large-blobs.ts'

export interface SweepParts {
  readonly control: AttachmentsUpkeep
  readonly largeBlobs: LargeBlobCare
  /** Called between two slices; rejects when the sweep is to end. */
  readonly pause?: () => Promise<void>
}

/** Removes those of deleted issues and people, and with `today` those past their project’s period. */
export async function sweepHidden(
  { control, largeBlobs, pause = turn }: SweepParts,
  today: Day | null = null,
): Promise<void> {
  for (;;) {
    const hidden = await control.hiddenAttachments(today, max('attachmentsSweptAtOnce'))
    if (hidden.length === 0) return
    // The bytes first: a sweep that is cut short finds the rows again.
    for (const blob of hidden) await largeBlobs.remove(attachmentBlobName(blob))
    await control.forgetAttachments(hidden)
    await pause()
  }
}

/** Removes blobs written before `writtenBeforeMs` that no row names: their envelope was refused, or came twice. */
export async function sweepUnnamed(
  { control, largeBlobs, pause = turn }: SweepParts,
  writtenBeforeMs: number,
): Promise<void> {
  for (const area of await largeBlobs.areas()) {
    let some: BlobEntry[] = []
    const settle = async () => {
      await removeUnnamed({ control, largeBlobs }, some)
      some = []
      await pause()
    }
    for await (const entry of largeBlobs.list(area)) {
      if (entry.writtenMs < writtenBeforeMs) some.push(entry)
      if (some.length >= max('attachmentsSweptAtOnce')) await settle()
    }
    await settle()
  }
}

async function removeUnnamed(
  { control, largeBlobs }: SweepParts,
  entries: readonly BlobEntry[],
): Promise<void> {
  const blobs = entries.flatMap(({ name }) => blobOf(name) ?? [])
  if (blobs.length === 0) return
  const known = new Set((await control.knownAttachments(blobs)).map(attachmentBlobName))
  for (const { name } of entries) if (!known.has(name)) await largeBlobs.remove(name)
}

/** Removes what a project has of them, whatever rows say. */
export async function removeOfProject(largeBlobs: LargeBlobCare, project: number): Promise<void> {
  for (const area of await largeBlobs.areas()) await largeBlobs.removeArea(`${area}/${project}`)
}

/** Returns what attachments take of the disk, by the files whose day and class they share. */
export async function attachmentFiles(control: AttachmentsUpkeep): Promise<readonly FileBytes[]> {
  const sums = await control.attachmentBytes()
  return sums.map(({ day, retentionDays, bytes }) => ({
    file: attachmentFile({ day, retentionDays }),
    bytes,
  }))
}

export function isOfAttachments({ kind }: FileName): boolean {
  return kind === ATTACHMENT_NAME
}

const turn = (): Promise<void> => setImmediate()

function attachmentFile({ day, retentionDays }: Pick<FileName, 'day' | 'retentionDays'>): FileName {
  return { kind: ATTACHMENT_NAME, day, retentionDays }
}

function attachmentBlobName({ projectId: project, id, ...words }: AttachmentBlob): string {
  return largeName({ file: attachmentFile(words), projectId: project, id })
}

function blobOf(name: string): AttachmentBlob | null {
  const read = readLargeName(name)
  if (read === null) return null
  const { day, retentionDays } = read.file
  return { projectId: projectId(read.projectId), id: read.id, day, retentionDays }
}
