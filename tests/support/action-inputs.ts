/** For every action: where it is run and an input that would do it. */
import type { Things } from './two-organisations.ts'

type Make = (things: Things) => Readonly<Record<string, unknown>>

const NEW_PASSWORD = 'another long password'

/** By name. An action that is missing here fails the walk. */
export const ACTION_INPUTS: Readonly<Record<string, Make>> = {
  'auth.setup': () => ({
    code: '0000',
    email: 'x@x.example',
    password: NEW_PASSWORD,
    name: 'X',
    organisation: 'X',
    project: 'X',
  }),
  'auth.sign-in': () => ({ email: 'x@x.example', password: NEW_PASSWORD }),
  'system.address': () => ({ url: 'https://taken-over.example' }),
  'auth.sign-out': () => ({}),
  'auth.join': () => ({ name: 'X', password: NEW_PASSWORD }),
  'auth.join-signed-in': () => ({}),
  'auth.forgot': () => ({ email: 'rosa@shop.example' }),
  'sign-in.save': () => ({
    ...{ kind: 'oidc', name: 'X', issuer: 'https://taken-over.example', clientId: 'x', clientSecret: 'x' },
    ...{ domains: '', organisations: '', roleDefault: 'manager', roleClaim: '', roles: '' },
  }),
  'sign-in.remove': () => ({ kind: 'oidc' }),
  'auth.reset': () => ({ password: NEW_PASSWORD }),
  'issue.change': ({ issue, issueId }) => ({ refs: [issue, issueId], change: 'resolve' }),
  'issue.delete': ({ issue, issueId }) => ({ refs: [issue, issueId] }),
  'issue.mirrors.keep_apart': ({ issue }) => ({ ref: issue, project: '1', hash: '0'.repeat(32) }),
  'issue.comment': ({ issue }) => ({ ref: issue, text: 'I was here' }),
  'issue.comment.edit': ({ issue }) => ({ ref: issue, comment: '999999999', text: 'I was here' }),
  'issue.comment.delete': ({ issue }) => ({ ref: issue, comment: '999999999' }),
  'issue.mark': ({ issue }) => ({ ref: issue, mark: 'bookmark' }),
  'issue.share': ({ issue }) => ({ ref: issue }),
  'issue.unshare': ({ issue }) => ({ ref: issue }),
  'search.save': () => ({ name: 'Taken over', query: 'is:new', sort: 'date', shared: 'yes' }),
  'search.delete': ({ search }) => ({ id: search }),
  'list.preferences': () => ({ density: 'compact' }),
  'project.create': () => ({ name: 'Taken over', slug: '', platform: '', teams: [] }),
  'project.test-event': () => ({}),
  'project.save': ({ project }) => ({
    name: 'Taken over',
    slug: project,
    platform: '',
    retentionDays: '90',
    payloadsPerIssueHour: '',
    spikeProtection: '',
    count: '',
    window: '60',
  }),
  'notices.save': () => ({ mail: 'on', quietHours: '12' }),
  // An address that this server refuses to call: the walk leaves the machine alone.
  'notices.webhook': () => ({ url: 'http://127.0.0.1:1/hook' }),
  'notices.webhook-secret': () => ({}),
  'notices.webhook-remove': () => ({}),
  'notices.test': () => ({ channel: 'webhook' }),
  'account.notices': () => ({ mail: 'on' }),
  'project.scrubbing': () => ({
    extraKeys: 'taken',
    allowedKeys: '',
    clientAddress: 'drop',
    allowedDomains: '',
  }),
  'project.spans': () => ({ spanRetentionDays: '7', percent: '10', slowMs: '500' }),
  'project.ownership': () => ({ rules: 'path:* taken@over.example', codeOwners: '' }),
  'project.filters': () => ({
    browserExtensions: 'on',
    localhost: 'on',
    crawlers: 'on',
    controlFlow: 'on',
    aborted: 'on',
    releases: '*taken*',
    messages: '',
    addresses: '0.0.0.0/0',
  }),
  'release.status': () => ({ version: 'web@1.0.0', status: 'archived' }),
  'release.delete': () => ({ version: 'web@1.0.0' }),
  'artifact.delete': () => ({ bundle: '1' }),
  'mapping.add': () => ({
    ...{ stackRoot: '', sourceRoot: '', repository: 'https://github.com/taken/over' },
    ...{ host: 'github', branch: 'main' },
  }),
  'mapping.remove': () => ({ stackRoot: '' }),
  'environment.hide': () => ({ name: 'production', hidden: 'yes' }),
  'environment.move': () => ({ name: 'production', to: 'up' }),
  'person.delete': () => ({ by: 'id', person: 'u1', confirm: '0' }),
  'project.delete': ({ project }) => ({ confirm: project }),
  'key.create': () => ({ name: 'taken', count: '', window: '60' }),
  'key.save': ({ keyId }) => ({ key: String(keyId), name: 'taken', count: '1', window: '60' }),
  'key.switch': ({ keyId }) => ({ key: String(keyId), to: 'off' }),
  'key.rotate': ({ keyId }) => ({ key: String(keyId) }),
  'key.delete': ({ keyId }) => ({ key: String(keyId) }),
  'alerts.save': () => ({
    ...{ kind: 'issue', name: 'Taken over', everyMinutes: '60', isOn: 'on' },
    ...{ whenOn: ['new'], notifyTo: ['members'], notifyFrom: ['warning'] },
  }),
  'alerts.preview': () => ({ kind: 'issue', name: 'Taken over', everyMinutes: '60', whenOn: ['new'] }),
  'alerts.switch': ({ rule }) => ({ rule, on: 'off' }),
  'alerts.mute': ({ rule }) => ({ rule, until: 'forever' }),
  'alerts.test': ({ rule }) => ({ rule }),
  'alerts.delete': ({ rule }) => ({ rule }),
  'alerts.quiet': () => ({ isOn: 'on', from: '00:00', until: '23:59', timeZone: 'UTC' }),
  'org.rename': () => ({ name: 'Taken over', slug: 'taken-over' }),
  'org.create': () => ({ name: 'One more' }),
  'member.invite': () => ({ email: 'friend@x.example', role: 'owner', teams: [] }),
  'member.revoke-invitation': ({ codeHash }) => ({ codeHash }),
  'member.set-role': ({ userId }) => ({ user: String(userId), role: 'owner' }),
  'member.remove': ({ userId }) => ({ user: String(userId) }),
  'team.create': () => ({ name: 'Taken over' }),
  'team.save': ({ teamId, userId, projectId }) => ({
    team: String(teamId),
    name: 'Taken over',
    members: [String(userId)],
    projects: [String(projectId)],
  }),
  'team.delete': ({ teamId }) => ({ team: String(teamId) }),
  'token.create': () => ({ name: 'taken', kind: 'organisation', scopes: ['org:admin'] }),
  'token.revoke': ({ tokenId }) => ({ token: String(tokenId) }),
  'account.profile': () => ({ name: 'X' }),
  'account.password': () => ({ current: NEW_PASSWORD, next: NEW_PASSWORD }),
  'account.end-session': ({ sessionId }) => ({ session: String(sessionId) }),
  'account.theme': () => ({ theme: 'dark' }),
  'system.reset-link': () => ({ email: 'rosa@shop.example' }),
  'self-test.fail': () => ({}),
}

/** A page of the organisation and, where the action needs one, of the project. */
export function actionAddress(action: string, { org, project }: Things): string {
  const [subject] = action.split('.')
  if (subject === 'auth' || subject === 'account' || subject === 'system' || subject === 'self-test')
    return '/account'
  return `/${org}/projects/${project}/settings`
}
