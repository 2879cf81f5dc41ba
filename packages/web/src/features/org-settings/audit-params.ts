import { type AddressOf, type AddressTable, queryOf } from '#parts/address.ts'
import { dayParam } from './audit-days.ts'

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

const TEXT_CHARS_MAX = 200
const TEXT = { type: 'text', first: null, charsMax: TEXT_CHARS_MAX } as const

/** The audit log's address, so that what one looks at can be shared. Another filter begins with its newest entry. */
export const AUDIT = {
  /** Number of a person. */
  who: { type: 'number', first: null },
  what: { type: 'choice', first: null, of: AUDIT_SUBJECTS },
  /** Action as it is stored. */
  action: TEXT,
  /** Target of the change. */
  target: TEXT,
  words: TEXT,
  /** Days of UTC, both included. */
  from: dayParam('from'),
  to: dayParam('to'),
  /** The last entry of the page before. */
  before: { type: 'number', first: null, resetBy: 'all' },
} as const satisfies AddressTable

export type AuditAddress = AddressOf<typeof AUDIT>

export const auditQuery = queryOf(AUDIT)

export function isAuditFiltered({ before: _, ...filter }: AuditAddress): boolean {
  return Object.values(filter).some((value) => value !== null)
}
