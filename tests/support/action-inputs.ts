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
  'auth.passkey-request': () => ({}),
  'auth.passkey': () => ({ answer: {}, next: '/' }),
  'auth.second-step': () => ({ code: '000000', next: '/' }),
  'auth.confirm-request': () => ({}),
  'auth.confirm-passkey': () => ({ answer: {}, next: '/' }),
  'auth.confirm-code': () => ({ code: '000000', next: '/' }),
  'auth.confirm-password': () => ({ password: NEW_PASSWORD, next: '/' }),
  'account.passkey-offer': () => ({}),
  'account.passkey-add': () => ({ name: 'taken', answer: {} }),
  'account.passkey-remove': () => ({ passkey: '1' }),
  'account.app-begin': () => ({}),
  'account.app-confirm': () => ({ code: '000000' }),
  'account.app-remove': () => ({}),
  'account.recovery-codes': () => ({}),
  'system.address': () => ({ url: 'https://taken-over.example' }),
  'auth.sign-out': () => ({}),
  'auth.join': () => ({ name: 'X', password: NEW_PASSWORD }),
  'auth.join-signed-in': () => ({}),
  'auth.forgot': () => ({ email: 'rosa@shop.example' }),
  'auth.reset': () => ({ password: NEW_PASSWORD }),
  'issue.change': ({ issue, issueId }) => ({ refs: [issue, issueId], change: 'resolve' }),
  'issue.delete': ({ issue, issueId }) => ({ refs: [issue, issueId] }),
  'issue.comment': ({ issue }) => ({ ref: issue, text: 'I was here' }),
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
  'org.rename': () => ({ name: 'Taken over', slug: 'taken-over' }),
  'org.second-factor': () => ({ required: 'on' }),
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
