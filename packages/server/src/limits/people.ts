/** Signing in, and who is in an organisation. */
import { type Limit, limit } from './limit.ts'

export const PEOPLE_LIMITS = {
  passwordCharsMin: limit(10, 'chars', 'Length is what makes a password strong.'),
  passwordCharsMax: limit(200, 'chars', 'Hashing cost is bounded.'),
  passwordHashesMax: limit(2, 'count', 'argon2id at once: 64 MiB each.'),
  passwordHashQueueMax: limit(64, 'count', 'Sign-ins waiting for a hash; beyond it 429.'),
  sessionDays: limit(30, 'days', 'A session ends.'),
  sessionIdleDays: limit(7, 'days', 'An unused session ends.'),
  sessionsPerUserMax: limit(100, 'count', 'The oldest session ends when one more begins.'),
  signInTriesPerAddress: limit(20, 'count', 'Failed sign-ins per address in 15 minutes.'),
  signInTriesPerAccount: limit(10, 'count', 'Failed sign-ins per account in 15 minutes.'),
  signInWindowMs: limit(15 * 60_000, 'ms', 'Window of the two limits above.'),
  signInKeysMax: limit(10_000, 'count', 'Addresses and accounts remembered; the oldest go first.'),
  invitationDays: limit(7, 'days', 'An invitation or reset link ends.'),
  invitationKnownDays: limit(
    30,
    'days',
    'For so long the link of an expired invitation says that it has expired.',
  ),
  membersPerOrgMax: limit(
    1_000,
    'count',
    'Members and open invitations together: a list that is read whole.',
  ),
  teamsPerOrgMax: limit(500, 'count', 'A list that is read whole.'),
  tokensPerOrgMax: limit(500, 'count', 'Tokens of an organisation itself: a list that is read whole.'),
  tokensPerPersonMax: limit(
    25,
    'count',
    'Personal tokens of one person in an organisation: nobody takes those of others.',
  ),
  invitationsPerPersonMax: limit(100, 'count', 'Open invitations of an organisation that one person made.'),
  organisationsMax: limit(200, 'count', 'A list that is read whole, made by operators.'),
} satisfies Readonly<Record<string, Limit>>
