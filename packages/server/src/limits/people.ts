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
  signInKeysMax: limit(10_000, 'count', 'Addresses and accounts remembered, per limit; the oldest go first.'),
  invitationDays: limit(7, 'days', 'An invitation ends, and a reset link that an operator made.'),
  resetMs: limit(60 * 60_000, 'ms', 'A reset link that was emailed ends so long after it was asked for.'),
  resetsPerAddress: limit(10, 'count', 'Reset links one address may ask for in an hour.'),
  resetsPerAccount: limit(
    3,
    'count',
    'Reset links asked for one account in an hour; more never work at once.',
  ),
  invitationMailsPerPerson: limit(
    50,
    'count',
    'Invitations one person may have emailed in an hour: whoever manages members is no mail relay.',
  ),
  lettersWindowMs: limit(60 * 60_000, 'ms', 'Window of the three limits above.'),
  followerEmailsWaitingMax: limit(
    5_000,
    'count',
    'Emails to followers of issues that wait; of further comments and changes nobody is emailed.',
  ),
  followerEmailsPerPersonMax: limit(
    50,
    'count',
    'Emails to one follower that wait: who changes a thousand issues floods nobody.',
  ),
  followerEmailMs: limit(
    24 * 60 * 60_000,
    'ms',
    'An email to a follower that could not be sent for so long is not sent any more.',
  ),
  lettersWaitingMax: limit(1_000, 'count', 'Reset links and invitations that wait to be emailed.'),
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
  tokenDaysMax: limit(
    366,
    'days',
    'Expiry that a new token may be given; none at all is a choice of its own.',
  ),
  auditRows: limit(50, 'count', 'Entries on one page of the audit log.'),
  organisationsMax: limit(200, 'count', 'A list that is read whole, made by operators.'),
} satisfies Readonly<Record<string, Limit>>
