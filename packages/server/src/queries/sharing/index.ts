/** Reads of issues by people without an account, and issues as texts. */
import { scopeOfShare } from '#access/access.ts'
import type { SecretSeal } from '#access/seal.ts'
import { secretHash } from '#access/secrets.ts'
import { createSignInLimits } from '#access/sign-in-limits.ts'
import type { Clock } from '#base/clock.ts'
import type { PublicAddress } from '#base/public-address.ts'
import { ok, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { IssueShare } from '#ports/issue-shares.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { IssueEventReads } from '../events/event-reads.ts'
import type { SharedIssueView, SharingQueries, ShownShare } from '../sharing-types.ts'
import type { IssueView } from '../types.ts'
import { issueMarkdown } from './issue-markdown.ts'
import { sharedIssueView } from './shared-issue.ts'

interface SharingParts {
  readonly issues: Pick<IssuesRead, 'issue' | 'issueShare' | 'sharedIssue'>
  readonly events: Pick<IssueEventReads, 'ofIssue'>
  /** Opens the links' secrets. */
  readonly seal: Pick<SecretSeal, 'open'>
  readonly clock: Clock
  readonly publicAddress: Pick<PublicAddress, 'url'>
  /** The issue with what stands around it, of the last day. */
  readonly issueView: (scope: ReadScope, ref: string) => Promise<IssueView | null>
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/

export function sharingQueries(parts: SharingParts): SharingQueries {
  const { issues, events, clock, publicAddress } = parts
  const limits = createSignInLimits({
    clock,
    limits: {
      perAddress: 'sharedReadsPerAddress',
      perAccount: 'sharedReadsPerLink',
      window: 'sharedReadsWindowMs',
    },
  })
  const kept = new KeptViews(clock)
  return {
    issueShare: async (scope, ref) => {
      const issue = await issues.issue(scope, ref)
      const share = issue === null ? null : await issues.issueShare(scope, issue.id, clock.now())
      return share === null ? null : shownShare(share, parts.seal)
    },
    sharedIssue: async (token, address) => {
      const attempt = limits.attempt(address, token)
      if (!attempt.ok) {
        const { retryAfterSeconds } = attempt
        return {
          ...refuse('too_many_attempts', 'This link is read too often; try again later.'),
          retryAfterSeconds,
        }
      }
      const shared = TOKEN.test(token) ? await issues.sharedIssue(secretHash(token), clock.now()) : null
      if (shared === null) return refuse('not_found', NO_LINK)
      const view = await kept.view(secretHash(token), async () => {
        const scope = scopeOfShare(shared)
        const ref = String(shared.issueId)
        const [issue, event] = await Promise.all([
          parts.issueView(scope, ref),
          events.ofIssue(scope, ref, 'recommended'),
        ])
        return issue === null ? null : sharedIssueView(issue, event, nextTurn)
      })
      return view === null ? refuse('not_found', NO_LINK) : ok(view)
    },
    issueMarkdown: async (scope, ref, reader) => {
      const [view, event] = await Promise.all([
        parts.issueView(scope, ref),
        events.ofIssue(scope, ref, 'recommended'),
      ])
      if (view === null) return null
      const url = `${publicAddress.url}/${scope.orgSlug}/issues/${view.issue.shortId}`
      return issueMarkdown(view, event, { reader, url })
    },
  }
}

const nextTurn = (): Promise<void> => new Promise((done) => void setImmediate(done))

/**
 * Views of links, kept for some seconds: anybody may open one as often as they like, and the people in an
 * event are left out on the thread that accepts. Whether the link still works is asked each time.
 */
class KeptViews {
  readonly #clock: Clock
  readonly #kept = new Map<
    string,
    { readonly atMs: number; readonly view: Promise<SharedIssueView | null> }
  >()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async view(hash: string, read: () => Promise<SharedIssueView | null>): Promise<SharedIssueView | null> {
    const nowMs = this.#clock.now()
    const known = this.#kept.get(hash)
    if (known !== undefined && nowMs - known.atMs < max('sharedViewKeptMs')) return known.view
    // All at once: whoever asks again has it read again.
    if (this.#kept.size >= max('sharedViewsKeptMax')) this.#kept.clear()
    const view = read()
    this.#kept.set(hash, { atMs: nowMs, view })
    // A failure is nobody's answer but those who wait for it.
    view.catch(() => this.#kept.delete(hash))
    return view
  }
}

const NO_LINK = 'This link has expired, was revoked, or never existed.'

/** A link with its secret, where the key that sealed it is there. */
function shownShare({ sealedToken, ...share }: IssueShare, seal: Pick<SecretSeal, 'open'>): ShownShare {
  return { ...share, token: sealedToken === null ? null : seal.open(sealedToken) }
}
