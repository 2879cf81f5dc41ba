/** The audit log's address in parts, so that what one looks at can be shared. */
export interface AuditAddress {
  /** Number of a person. */
  readonly who: number | null
  readonly what: AuditSubject | null
  /** Action as it is stored. */
  readonly action: string | null
  /** Target of the change. */
  readonly target: string | null
  /** Words as typed. */
  readonly words: string | null
  /** Days as `2026-11-22`, UTC, both included. */
  readonly from: string | null
  readonly to: string | null
  /** The last entry of the page before. */
  readonly before: number | null
}

/** Subjects to choose from, with the first words of the actions they stand for. */
export const AUDIT_SUBJECTS = [
  {
    key: 'access',
    label: 'Sign-ins and passwords',
    subjects: [
      'session',
      'password',
      'passkey',
      'authenticator',
      'recovery',
      'account',
      'profile',
      'sign_in',
    ],
  },
  { key: 'people', label: 'Members and invitations', subjects: ['member', 'invitation', 'team'] },
  {
    key: 'projects',
    label: 'Projects and releases',
    subjects: ['project', 'environments', 'ownership', 'release', 'artifacts'],
  },
  { key: 'keys', label: 'Client keys', subjects: ['key'] },
  {
    key: 'alerts',
    label: 'Alerts and webhooks',
    subjects: ['notices', 'webhook', 'channel', 'slack', 'alert_rule', 'quiet_hours', 'message'],
  },
  { key: 'trackers', label: 'Issue trackers', subjects: ['tracker'] },
  { key: 'tokens', label: 'Tokens and connected apps', subjects: ['token', 'app'] },
  { key: 'agents', label: 'Calls of agents', subjects: ['agent'] },
  {
    key: 'deletions',
    label: 'Issues, searches and people’s data',
    subjects: ['issue', 'search', 'attachment', 'person'],
  },
  {
    key: 'organisation',
    label: 'Organisation and installation',
    subjects: ['organisation', 'installation', 'audit', 'quarantine'],
  },
] as const satisfies readonly {
  readonly key: string
  readonly label: string
  readonly subjects: readonly string[]
}[]
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number]['key']

export function readAuditAddress(search: URLSearchParams): AuditAddress {
  return {
    who: numberOf(search.get('who')),
    what: AUDIT_SUBJECTS.find(({ key }) => key === search.get('what'))?.key ?? null,
    action: textOf(search.get('action')),
    target: textOf(search.get('target')),
    words: textOf(search.get('words')),
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
    before: numberOf(search.get('before')),
  }
}

/** Another filter begins with its newest entry. */
export function auditQuery(address: AuditAddress, change: Partial<AuditAddress> = {}) {
  return { ...address, before: null, ...change }
}

export function isFiltered({ before: _, ...filter }: AuditAddress): boolean {
  return Object.values(filter).some((value) => value !== null)
}

const TEXT_CHARS_MAX = 200

function textOf(text: string | null): string | null {
  const asked = (text ?? '').trim().slice(0, TEXT_CHARS_MAX)
  return asked === '' ? null : asked
}

function numberOf(text: string | null): number | null {
  const number = Number(text ?? '')
  return Number.isSafeInteger(number) && number > 0 ? number : null
}

/** A day that a calendar has; `null` for anything else. */
function dayOf(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text)) return null
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : null
}
