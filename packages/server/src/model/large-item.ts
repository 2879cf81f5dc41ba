/** Items whose payload is a large blob: the journal and the rows name it, and never hold it. */
import { createHash } from 'node:crypto'
import { type FileName, fileStem, readFileStem } from './file-name.ts'

/** Payload of an item that accept put aside. */
export interface SetAside {
  /** Place of the item in its envelope, where it has no payload. */
  readonly index: number
  /** `attachment-2026-11-29.30/7/<id>`: kind, day, class, project and id. */
  readonly name: string
  readonly bytes: number
  /** Hash of the payload, in hex. */
  readonly sha256: string
}

/** Kind of attachments, by which their files and blobs are named. */
export const ATTACHMENT_NAME = 'attachment'

export interface LargeName {
  readonly file: FileName
  readonly projectId: number
  /** 32 hex characters. */
  readonly id: string
}

export function largeName({ file, projectId, id }: LargeName): string {
  return `${fileStem(file)}/${projectId}/${id}`
}

/** Returns the parts of a name; `null` for any other text. */
export function readLargeName(name: string): LargeName | null {
  const [stem = '', project = '', id = ''] = name.split('/')
  const file = readFileStem(stem)
  if (file === null || !/^\d{1,16}$/.test(project) || !/^[0-9a-f]{32}$/.test(id)) return null
  return { file, projectId: Number(project), id }
}

/**
 * Makes the id of an attachment: the same for the same content of the same event, so that what is sent twice is stored
 * once. `nth` tells equal ones of an envelope apart.
 */
export function attachmentId(of: {
  readonly eventId: string
  readonly filename: unknown
  readonly type: unknown
  readonly sha256: string
  readonly nth: number
}): string {
  const said = JSON.stringify([of.eventId, of.filename ?? null, of.type ?? null, of.sha256, of.nth])
  return createHash('sha256').update(said).digest('hex').slice(0, 32)
}
