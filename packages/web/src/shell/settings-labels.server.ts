/** Settings by their labels, and what can be made anew, so that the palette finds each by its name. */
import type { Permission } from '@errata/server/access'
import { type OptionSection, settingsIn } from '@errata/server/queries'
import { paths } from '#parts/paths.ts'
import type { OrgContext } from '#wire/types.ts'
import type { PaletteEntry } from './palette-groups.server.ts'

interface Setting {
  readonly label: string
  /** Project or organisation it belongs to. */
  readonly place: string
  readonly path: string
}

type Labels = readonly (readonly [path: string, labels: string])[]
type May = (permission: Permission) => boolean

/** Projects that are looked through, of those already found: not thousands. */
const PROJECTS_MAX = 3
const SHOWN_MAX = 5

/** Returns the settings whose labels have every word of the text. */
export function settingsFor(
  { engine, viewer, scope }: OrgContext,
  {
    text,
    projects,
  }: {
    readonly text: string
    readonly projects: readonly { readonly slug: string; readonly name: string }[]
  },
): readonly PaletteEntry[] {
  if (text === '') return []
  const may: May = (permission) => engine.access.can(viewer, scope, permission)
  const org = scope.orgSlug
  const all = [
    ...settings('account', accountLabels()),
    ...settings('organisation', orgLabels(org, may)),
    ...(viewer.user.isOperator ? settings('system', systemLabels()) : []),
    ...projects
      .slice(0, PROJECTS_MAX)
      .flatMap(({ slug, name }) => settings(name, projectLabels(org, slug, may))),
  ]
  return matching(
    all.map(({ label, place, path }) => ({ text: `${label}: ${place}`, path })),
    text,
  )
}

/** Returns what may be made anew, as far as the text names it. */
export function creationsFor({ engine, viewer, scope }: OrgContext, text: string): readonly PaletteEntry[] {
  const org = scope.orgSlug
  const all: readonly (readonly [permission: Permission, text: string, path: string])[] = [
    ['alert.write', 'New alert rule on issues', paths.newAlertRule(org, { kind: 'issue' })],
    ['alert.write', 'New alert rule on a metric', paths.newAlertRule(org, { kind: 'metric' })],
    ['alert.write', 'New channel', paths.alertChannels(org)],
    ['project.create', 'New project', paths.newProject(org)],
    ['member.write', 'Invite a member', paths.members(org)],
    ['team.write', 'New team', paths.teams(org)],
    ['org.read', 'New token', paths.tokens(org)],
    ['tracker.write', 'New issue tracker', paths.trackers(org)],
  ]
  const open = all.filter(([permission]) => engine.access.can(viewer, scope, permission))
  return matching(
    open.map(([, name, path]) => ({ text: name, path })),
    text,
  )
}

function matching(
  pages: readonly Pick<PaletteEntry, 'text' | 'path'>[],
  text: string,
): readonly PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/)
  return pages
    .filter((page) => words.every((word) => page.text.toLowerCase().includes(word)))
    .slice(0, SHOWN_MAX)
    .map((page) => ({ ...page, icon: 'menu', note: '' }))
}

function settings(place: string, labels: Labels): readonly Setting[] {
  return labels.flatMap(([path, names]) => names.split('|').map((label) => ({ label, place, path })))
}

function accountLabels(): Labels {
  return [
    [paths.account(), 'Name'],
    [paths.accountPassword(), 'New password'],
    [paths.accountSecurity(), 'Passkeys|Authenticator app|Recovery codes|Two-factor authentication'],
    [paths.accountTheme(), 'Theme|First page after signing in'],
    [paths.accountAlerts(), 'Email me|Inbox'],
  ]
}

function orgLabels(org: string, may: May): Labels {
  const all: readonly (readonly [permission: Permission | null, path: string, labels: string])[] = [
    ['org.write', paths.orgSettings(org), 'Name|Slug|Default role|Require two-factor authentication'],
    ['member.read', paths.members(org), 'Roles|Invite a member'],
    ['team.read', paths.teams(org), 'Team admins'],
    [null, paths.agents(org), 'Coding agents|Copy as Markdown'],
    ['tracker.read', paths.trackers(org), 'GitHub, GitLab, Gitea, Jira, Linear'],
    ['provider.write', paths.signInSettings(org), 'OpenID Connect|GitHub sign-in|Email domains|Provisioning'],
    ['alert.read', paths.quietHours(org), 'Quiet hours'],
    ['channel.read', paths.alertChannels(org), 'Webhooks|Slack, Teams, Discord'],
  ]
  return all.flatMap(([permission, path, labels]) =>
    permission === null || may(permission) ? [[path, labels] as const] : [],
  )
}

function systemLabels(): Labels {
  return [[paths.systemSettings(), 'Public address|Test email|Reset a password']]
}

function projectLabels(org: string, project: string, may: May): Labels {
  if (!may('project.read')) return []
  return [
    [paths.projectSettings(org, project), 'Name|Slug|Platform'],
    [paths.projectRetention(org, project), labelsIn('retention')],
    [paths.projectKeys(org, project), `Client keys|DSN|${labelsIn('keys')}`],
    [paths.projectRelay(org, project), 'Relay'],
    [paths.projectScrubbing(org, project), labelsIn('scrubbing')],
    [paths.projectFilters(org, project), labelsIn('filters')],
    [paths.projectGrouping(org, project), labelsIn('grouping')],
    [paths.projectEnvironments(org, project), 'Hidden environments'],
    [paths.projectOwnership(org, project), 'Ownership rules|CODEOWNERS'],
    [paths.projectSourceMaps(org, project), 'Uploads|Code mappings|Check a lookup'],
    [paths.projectAlerts(org, project), 'Email members of this project|Delivery log'],
    ...(may('project.delete')
      ? [
          [
            paths.projectDanger(org, project),
            'Delete the project|Delete a person’s data|Export a person’s data',
          ] as const,
        ]
      : []),
  ]
}

function labelsIn(section: OptionSection): string {
  return settingsIn(section)
    .flatMap(({ setting: { label, alone = label, also = [] } }) => [alone, also].flat())
    .join('|')
}
