/** Answers about the installation, organisations, teams, members, projects and keys. */
import * as v from 'valibot'
import { PROJECT_SETTINGS, type ProjectOptions } from '#model/project-options.ts'
import type { Setting, SettingTable, SpecialSetting } from '#model/setting-kinds.ts'
import { ROLES } from '#ports/accounts.ts'
import {
  digits,
  empty,
  flag,
  named,
  text,
  textOrNull,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
} from './words.ts'

const USER = named('User', v.object({ id: digits, name: text, username: text, email: text }))

export const VERSION = v.object({
  version: text,
  auth: v.nullable(v.object({ scopes: v.array(text) })),
  user: v.nullable(USER),
})

/** Owner of the token; for a token of the organisation `id` is `token-5` and `email` empty. */
export const SELF = v.object({
  ...{ id: text, name: text, username: text, email: text },
  isAuthenticated: flag,
  version: text,
  scopes: v.array(text),
  user: v.nullable(USER),
})

export const REGIONS = v.object({ regions: v.array(v.object({ name: text, url: text })) })

const AVATAR = v.object({ avatarType: text, avatarUuid: v.null() })
const ROLE_FIELDS = {
  ...{ id: text, name: text, desc: text, scopes: empty, isAllowed: flag, isRetired: flag },
}
const ORG_ROLES = v.array(
  named('OrgRole', v.object({ ...ROLE_FIELDS, isGlobal: flag, minimumTeamRole: text })),
)
const TEAM_ROLES = v.array(named('TeamRole', v.object({ ...ROLE_FIELDS, isMinimumRoleFor: v.null() })))

export const ORGANISATION = named(
  'Organization',
  v.object({
    ...{ id: digits, slug: text, name: text, dateCreated: time },
    status: v.object({ id: text, name: text }),
    ...{ isEarlyAdopter: flag, require2FA: flag, requireEmailVerification: flag, features: empty },
    ...{ avatar: AVATAR, orgRoleList: ORG_ROLES, teamRoleList: TEAM_ROLES },
    links: v.object({ organizationUrl: text, regionUrl: text }),
  }),
)

const TEAM_ROLE = v.picklist(['admin', 'contributor'])
const TEAM_FIELDS = {
  ...{ id: digits, slug: text, name: text, dateCreated: time, memberCount: whole, isMember: flag },
  ...{ teamRole: v.nullable(TEAM_ROLE), hasAccess: flag, isPending: flag, avatar: AVATAR },
}
export const TEAM = named('Team', v.object(TEAM_FIELDS))

const role = v.picklist(ROLES)
/**
 * Member fields; for someone invited who has not joined `id` is `invitation-…`, `pending` true and `user`
 * null.
 */
const MEMBER_FIELDS = {
  ...{ id: text, email: text, name: text, role, orgRole: role, pending: flag, expired: flag },
  ...{ inviteStatus: v.literal('approved'), dateCreated: time, teams: v.array(text) },
  teamRoles: v.array(v.object({ teamSlug: text, role: TEAM_ROLE })),
  projects: v.array(text),
  user: v.nullable(USER),
}
export const MEMBER = named('Member', v.object(MEMBER_FIELDS))
export const MEMBER_DETAIL = named(
  'MemberDetail',
  v.object({ ...MEMBER_FIELDS, orgRoleList: ORG_ROLES, teamRoleList: TEAM_ROLES }),
)
/** The link is shown this once. */
export const INVITED = named('InvitedMember', v.object({ ...MEMBER_FIELDS, invite_link: text }))
export const TEAM_MEMBER = named(
  'TeamMember',
  v.object({ ...MEMBER_FIELDS, teamSlug: text, teamRole: TEAM_ROLE }),
)
export const TEAM_MEMBERSHIP = v.object({ isActive: flag, teamRole: TEAM_ROLE })

const TEAM_REF = v.object({ id: digits, slug: text, name: text })
const PROJECT_FIELDS = {
  ...{ id: digits, slug: text, name: text, platform: textOrNull, dateCreated: time },
  ...{ firstEvent: timeOrNull, status: text, features: empty },
  ...{ isBookmarked: flag, isPublic: flag, isInternal: flag, hasAccess: flag, isMember: flag },
  ...{ color: text, avatar: AVATAR },
  team: v.nullable(TEAM_REF),
  teams: v.array(TEAM_REF),
}
export const PROJECT = named('Project', v.object(PROJECT_FIELDS))
/** Project in a list, with the environments that events name. */
export const LISTED_PROJECT = named(
  'ListedProject',
  v.object({ ...PROJECT_FIELDS, environments: v.array(text) }),
)
/** Project in the list of all organisations. */
export const OWN_PROJECT = named('OwnProject', v.object({ ...PROJECT_FIELDS, organization: ORGANISATION }))
export const TEAM_DETAIL = named(
  'TeamDetail',
  v.object({ ...TEAM_FIELDS, organization: ORGANISATION, projects: v.array(PROJECT) }),
)

const LIMIT = v.nullable(v.object({ window: whole, count: whole }))
const SPECIAL: Readonly<Record<SpecialSetting['format'], v.GenericSchema>> = {
  'rate-limit': LIMIT,
  'span-sampling': v.nullable(v.object({ share: v.number(), slowMs: v.number() })),
  'code-mappings': v.array(
    v.object({
      ...{ repository: text, host: text, branch: text, stackRoot: text, sourceRoot: text },
    }),
  ),
}

function optionAnswer(setting: Setting): v.GenericSchema {
  switch (setting.kind) {
    case 'whole':
      return whole
    case 'whole-or-none':
      return wholeOrNull
    case 'switch':
      return flag
    case 'texts':
      return v.array(text)
    case 'choice':
    case 'text':
      return text
    case 'special':
      return SPECIAL[setting.format]
  }
}

type OptionAnswers = { readonly [Name in keyof ProjectOptions]: v.GenericSchema<ProjectOptions[Name]> }

function optionAnswers(settings: SettingTable): OptionAnswers {
  const entries = Object.entries(settings).map(([name, entry]) => [
    name,
    entry.kind === 'group' ? v.object(optionAnswers(entry.fields)) : optionAnswer(entry),
  ])
  return Object.fromEntries(entries)
}

const OPTIONS = v.object({
  ...optionAnswers(PROJECT_SETTINGS),
  'filters:blacklisted_ips': text,
  'filters:releases': text,
  'filters:error_messages': text,
})
/** Settings that Errata has nothing of are off. */
const SETTINGS = {
  ...{ options: OPTIONS, allowedDomains: v.array(text), fingerprintingRules: text },
  ...{ sensitiveFields: v.array(text), safeFields: v.array(text), dataScrubber: flag },
  ...{ dataScrubberDefaults: flag, scrubIPAddresses: flag, groupingEnhancements: text },
  ...{ digestsMinDelay: whole, digestsMaxDelay: whole, resolveAge: whole, scrapeJavaScript: flag },
  ...{ verifySSL: flag, securityToken: text, securityTokenHeader: v.null(), subjectPrefix: text },
  ...{ subjectTemplate: text, highlightTags: empty },
}
export const PROJECT_DETAIL = named(
  'ProjectDetail',
  v.object({ ...PROJECT_FIELDS, organization: ORGANISATION, ...SETTINGS }),
)

/** Project as an issue refers to it. */
export const PROJECT_REF = v.object({ id: digits, slug: text, name: text, platform: textOrNull })

/** `id` is the public half; halves that Errata has none of are null. */
export const KEY = named(
  'ProjectKey',
  v.object({
    ...{ id: text, name: text, label: text, public: text, secret: text, projectId: whole, isActive: flag },
    rateLimit: LIMIT,
    dsn: v.object({
      ...{ public: text, secret: v.null(), csp: v.null(), security: v.null(), minidump: v.null() },
      cdn: v.null(),
    }),
    dateCreated: time,
    browserSdkVersion: text,
    dynamicSdkLoaderOptions: v.object({ hasReplay: flag, hasPerformance: flag, hasDebug: flag }),
  }),
)

export const PROJECT_FILTER = named(
  'ProjectFilter',
  v.object({ id: text, active: flag, name: text, description: text, hello: text }),
)

export const ENVIRONMENT = named(
  'Environment',
  v.object({ id: text, name: text, isHidden: flag, lastSeen: time }),
)

const OWNERSHIP_PROBLEM = v.object({ line: whole, says: text })
export const OWNERSHIP = named(
  'Ownership',
  v.object({
    ...{ raw: textOrNull, codeowners: textOrNull, fallthrough: flag, isActive: flag, autoAssignment: text },
    ...{ codeownersAutoSync: flag, dateCreated: timeOrNull, lastUpdated: timeOrNull },
    errata: v.object({
      problems: v.object({
        rules: v.array(OWNERSHIP_PROBLEM),
        codeOwners: v.array(OWNERSHIP_PROBLEM),
      }),
      cut: v.nullable(v.object({ issues: whole, lastSeen: time })),
    }),
  }),
)

export const CODE_MAPPINGS = v.object({
  ...{ created: whole, updated: whole, errors: whole },
  mappings: v.array(
    v.object({ stackRoot: text, sourceRoot: text, status: v.picklist(['created', 'updated']) }),
  ),
})

export const GROUPING_PREVIEW = v.object({
  ...{ looked: whole, events: whole, cut: whole, issues: whole },
  met: v.array(v.object({ line: whole, events: whole, title: text })),
  problems: v.array(v.object({ line: whole, message: text })),
})

export const SAVED_SEARCH = named(
  'SavedSearch',
  v.object({
    ...{ id: digits, type: v.literal(0), name: text, query: text, sort: text },
    visibility: v.picklist(['owner', 'organization']),
    ...{ dateCreated: time, isGlobal: flag, isPinned: flag },
  }),
)

export const AUDIT_LOG = v.object({
  rows: v.array(
    named(
      'AuditLogEntry',
      v.object({
        ...{ id: digits, event: text, note: text, ipAddress: textOrNull, target: text, dateCreated: time },
        actor: v.object({ id: v.nullable(digits), name: text, email: textOrNull }),
        ...{ targetObject: v.null(), targetUser: v.null() },
        data: v.record(text, v.nullable(v.union([text, v.number(), flag]))),
      }),
    ),
  ),
})
