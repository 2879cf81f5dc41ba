/** Echoes: issues of which every event is the browser's mirror of a failure on the server. */
import type { IssueId } from '#base/ids.ts'
import type { NoticeSettings } from '#ports/notices.ts'

/** An echo that is not told of. */
export interface QuietEcho {
  /** A sentence that names no issue: not everybody who reads of the echo may read of its exception. */
  readonly reason: string
  /** The issue of the exception that is told of instead. */
  readonly echoOf: IssueId | null
}

/** Notices of exceptions that are looked at for one echo, the newest. */
export const EXCEPTION_NOTICES_MAX = 20

/** A notice, not dropped, of an issue whose events on the server showed the same digest. */
export interface ExceptionNotice {
  readonly issue: IssueId
  readonly isSameProject: boolean
  /** Asked in this order, each only where the one before does not decide. */
  readonly isMailedToReaders: () => boolean
  readonly webhookUrl: () => string | null
  readonly isCalled: () => boolean
}

/**
 * `null` when nobody who would hear of the echo heard of its exception: then it is told of itself. Without a digest every
 * request makes an echo of its own, and nothing tells which exception it belongs to.
 */
export function quietEcho(
  settings: () => NoticeSettings,
  { hasDigest, notices }: { readonly hasDigest: boolean; readonly notices: () => readonly ExceptionNotice[] },
): QuietEcho | null {
  if (!hasDigest)
    return { reason: 'The browser’s mirror of a server failure, without a digest.', echoOf: null }
  const told = notices().find((notice) => notice.isSameProject || reachesReaders(settings(), notice))
  if (told === undefined) return null
  return {
    reason: 'The browser’s mirror of a server failure that has its own alert.',
    echoOf: told.issue,
  }
}

/** Whether somebody who would be told of the echo is told of its exception by this notice of another project. */
function reachesReaders({ mail, webhook }: NoticeSettings, notice: ExceptionNotice): boolean {
  if (mail && notice.isMailedToReaders()) return true
  return webhook !== null && webhook.url === notice.webhookUrl() && notice.isCalled()
}

/** The reason for who may read the exception too. */
export function echoText(shortId: string): string {
  return `The browser’s mirror of ${shortId}, which has its own alert.`
}
