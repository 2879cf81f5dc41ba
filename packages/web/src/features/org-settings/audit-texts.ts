/** Entries of the audit log in words. Pure. */

import { byWord } from '#ui/by-word.ts'
import { exactText } from '#ui/time-text.ts'

/** Texts of actions; the target follows. */
const ACTIONS: Readonly<Record<string, string>> = byWord({
  'account.alerts_chosen': 'Changed the email alerts of',
  'account.mail_switched_off': 'Turned off email alerts for',
  'account.quiet_hours_changed': 'Changed the quiet hours of',
  'account.inbox_changed': 'Changed the inbox settings of',
  'account.mail_switched_on': 'Turned on email alerts for',
  'agent.called': 'Called the tool',
  'alert_rule.changed': 'Changed the alert rule',
  'alert_rule.created': 'Created the alert rule',
  'alert_rule.deleted': 'Deleted the alert rule',
  'alert_rule.muted': 'Muted the alert rule',
  'alert_rule.tested': 'Sent a test of the alert rule',
  'alert_rule.unmuted': 'Unmuted the alert rule',
  'artifacts.deleted': 'Deleted artifacts:',
  'artifacts.uploaded': 'Uploaded artifacts of',
  'audit.exported': 'Exported the audit log as',
  'person.exported': 'Exported a person’s data as',
  'app.connected': 'Connected the app',
  'app.disconnected': 'Disconnected the app',
  'authenticator.added': 'Set up an authenticator app for',
  'attachment.deleted': 'Deleted an attachment of the event',
  'authenticator.removed': 'Removed the authenticator app of',
  'channel.changed': 'Changed the alert channel',
  'channel.created': 'Added the alert channel',
  'channel.deleted': 'Deleted the alert channel',
  'environments.changed': 'Changed the environments of',
  'installation.address_changed': 'Changed the public address to',
  'installation.set_up': 'Set up Errata for',
  'invitation.created': 'Invited',
  'invitation.changed': 'Changed the access of the invitation of',
  'invitation.revoked': 'Revoked the invitation of',
  'issue.deleted': 'Deleted the issue',
  'issue.sent': 'Sent to a channel: the issue',
  'issue.shared': 'Created a share link of the issue',
  'issue.unshared': 'Revoked the share link of',
  'key.changed': 'Changed the client key',
  'key.created': 'Created the client key',
  'key.deleted': 'Deleted the client key',
  'key.disabled': 'Disabled the client key',
  'key.enabled': 'Enabled the client key',
  'member.deactivated': 'Deactivated the member',
  'member.joined': 'Joined the organisation:',
  'member.removed': 'Removed the member',
  'member.role_changed': 'Changed the role of',
  'message.sent_again': 'Resent the alert',
  'notices.changed': 'Changed the alerts of',
  'notices.tested': 'Sent a test alert for',
  'organisation.artifact_quota_changed': 'Changed how many uploads are kept for',
  'organisation.created': 'Created the organisation',
  'organisation.renamed': 'Renamed the organisation to',
  'organisation.role_default_changed': 'Changed the default role of',
  'organisation.second_factor': 'Changed the two-factor requirement of',
  'ownership.changed': 'Changed the ownership rules of',
  'passkey.added': 'Added the passkey',
  'passkey.renamed': 'Renamed a passkey to',
  'passkey.removed': 'Removed the passkey',
  'password.changed': 'Changed the password of',
  'password.reset': 'Reset the password of',
  'password.reset_link_created': 'Created a password reset link for',
  'person.deleted': 'Deleted a person’s data from',
  'profile.renamed': 'Changed the name of',
  'project.changed': 'Changed the project',
  'project.created': 'Created the project',
  'project.deleted': 'Deleted the project',
  'quarantine.downloaded': 'Downloaded the quarantined',
  'quiet_hours.changed': 'Changed',
  'recovery.code_used': 'Used a recovery code of',
  'recovery.codes_created': 'Created recovery codes for',
  'recovery.factors_removed': 'Removed every second factor of',
  'release.changed': 'Changed the release',
  'release.commits_set': 'Set the commits of the release',
  'release.created': 'Created the release',
  'release.deployed': 'Recorded a deploy of the release',
  'release.deleted': 'Deleted the release',
  'search.changed': 'Changed the saved search',
  'search.created': 'Shared the saved search',
  'search.deleted': 'Deleted the saved search',
  'session.confirmed': 'Confirmed the identity of',
  'session.ended': 'Ended a session of',
  'session.sign_in_failed': 'Failed to sign in as',
  'session.signed_in': 'Signed in as',
  'slack.linked': 'Connected Slack as',
  'slack.unlinked': 'Disconnected Slack from',
  'slack.pressed': 'Pressed a button in Slack for',
  'sign_in.changed': 'Changed the sign-in method',
  'sign_in.domain_proved': 'Verified the email domain',
  'sign_in.domain_missing': 'Did not find the DNS record of the email domain',
  'sign_in.domain_lost': 'Unverified the email domain (DNS record missing)',
  'sign_in.removed': 'Removed the sign-in method',
  'team.changed': 'Changed the team',
  'team.created': 'Created the team',
  'team.deleted': 'Deleted the team',
  'token.created': 'Created the token',
  'token.revoked': 'Revoked the token',
  'tracker.changed': 'Changed the issue tracker',
  'tracker.created': 'Added the issue tracker',
  'tracker.deleted': 'Deleted the issue tracker',
  'webhook.changed': 'Changed the webhook of',
  'webhook.created': 'Added a webhook to',
  'webhook.removed': 'Removed the webhook of',
})

/** An action that is not listed reads as it is stored. */
export function actionText(action: string): string {
  return (Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined) ?? `${action}:`
}

/** Actions whose words have the text. */
export function actionsSaying(text: string): readonly string[] {
  const wanted = text.toLowerCase()
  return Object.entries(ACTIONS).flatMap(([action, words]) =>
    words.toLowerCase().includes(wanted) ? [action] : [],
  )
}

/** `slugBefore` reads as "slug before", a time as one, and `what` needs no name; an empty list of changes says nothing. */
export function detailText(detail: Readonly<Record<string, string | number | boolean | null>>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== '' && value !== null)
    .map(([name, value]) =>
      name === 'what' ? auditValueText(name, value) : `${nameInWords(name)}: ${auditValueText(name, value)}`,
    )
    .join('; ')
}

function auditValueText(name: string, value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number' && TIME.test(name)) return exactText(value, 'utc')
  // Names of fields, as the one who writes the entry has them.
  if (name === 'changed') return String(value).split(/[ ,]+/).map(nameInWords).join(', ')
  return String(value)
}

const TIME = /Ms$/

/** Words of fields that their own name does not say. */
const FIELDS: Readonly<Record<string, string>> = byWord({
  bundlesMax: 'most uploads',
  bytesMax: 'most bytes',
  did: 'button',
  public: 'public key',
  released_ms: 'release date',
  started_ms: 'start',
  tail: 'ends in',
  unusedDaysMax: 'days unused',
  url: 'address',
})

/** Names of options come with their folder, and those of flags and times with what they are. */
function nameInWords(name: string): string {
  const plain = name.replace(/^options\./, '')
  const known = Object.hasOwn(FIELDS, plain) ? FIELDS[plain] : undefined
  if (known !== undefined) return known
  const words = plain.replace(/^is(?=[A-Z])/, '').replace(TIME, '')
  return words
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()
}
