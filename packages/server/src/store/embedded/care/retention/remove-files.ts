/**
 * Removing the files of a day and class, crash-safe: what was begun is written down first and finished at the next
 * start.
 *
 * ```
 *  begun, in control ─▶ groups ─▶ columns ─▶ payloads ─▶ event ids ─▶ ended, in control
 *                       no list    no query    no rebuild   derived      no file of the
 *                       names it   finds it    finds it                  name is known
 * ```
 */
import { setImmediate } from 'node:timers/promises'
import { type FileName, fileStem } from '#model/file-name.ts'
import type { Removal, RemovalReason } from '#ports/care.ts'
import { dropContents } from './count-contents.ts'
import { isOfAttachments } from './sweep-attachments.ts'
import type { RetentionParts } from './types.ts'

type RemovalParts = Pick<
  RetentionParts,
  'control' | 'telemetry' | 'payloads' | 'eventIds' | 'largeBlobs' | 'clock' | 'log' | 'onStep'
>

export async function removeFile(
  parts: RemovalParts,
  {
    file,
    bytes,
    reason,
  }: { readonly file: FileName; readonly bytes: number; readonly reason: RemovalReason },
): Promise<void> {
  const begunMs = parts.clock.now()
  await finishRemoval(parts, await parts.control.beginRemoval({ file, bytes, reason, begunMs }))
}

/** Every step may have been done before. */
export async function finishRemoval(parts: RemovalParts, removal: Removal): Promise<void> {
  const { control, telemetry, payloads, eventIds, largeBlobs, clock, log, onStep } = parts
  const { file, bytes, reason } = removal
  await onStep?.('remove:begun', file)
  // Here and not by name later: a day that was emptied may have events again.
  await dropContents(parts, file, () => setImmediate())
  await onStep?.('remove:groups', file)
  if (isOfAttachments(file)) {
    await control.forgetAttachmentsOf(file)
    await largeBlobs.removeArea(fileStem(file))
  }
  await telemetry.remove(file)
  await onStep?.('remove:columns', file)
  await payloads.remove(file)
  await onStep?.('remove:payloads', file)
  await eventIds.forget(file)
  await onStep?.('remove:event-ids', file)
  await control.endRemoval(removal, clock.now())
  log.info('removed the files of a day', { day: file.day, class: file.retentionDays, reason, bytes })
}
