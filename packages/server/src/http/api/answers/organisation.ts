/** Answers about the installation, organisations, teams, members, projects and keys. */
import * as v from 'valibot'
import { PROJECT_SETTINGS, type ProjectOptions } from '#model/project-options.ts'
import type { Setting, SettingTable, SpecialSetting } from '#model/setting-kinds.ts'
import { ROLES } from '#ports/accounts.ts'
import {
  digits,
  empty,
  flagSchema,
  namedSchema,
  textOrNull,
  textSchema,
  timeOrNullSchema,
  timeSchema,
  wholeOrNull,
  wholeSchema,
} from './words.ts'

export const USER = namedSchema(
  'User',
  v.object({ id: digits, name: textSchema, username: textSchema, email: textSchema }),
)

export const VERSION = v.object({
  version: textSchema,
  auth: v.nullable(v.object({ scopes: v.array(textSchema) })),
  user: v.nullable(USER),
})

/** Owner of the token; for a token of the organisation `id` is `token-5` and `email` empty. */
export const SELF = v.object({
  ...{ id: textSchema, name: textSchema, username: textSchema, email: textSchema },
  isAuthenticated: flagSchema,
  version: textSchema,
  scopes: v.array(textSchema),
  user: v.nullable(USER),
})

/** Quota of uploads of an organisation, and its share that is used. */
export const ARTIFACT_QUOTA = v.object({
  bundlesMax: wholeSchema,
  bytesMax: wholeSchema,
  unusedDaysMax: wholeSchema,
  isDefault: flagSchema,
  used: v.object({ bundles: wholeSchema, bytes: wholeSchema }),
})

export const REGIONS = v.object({ regions: v.array(v.object({ name: textSchema, url: textSchema })) })

const AVATAR = v.object({ avatarType: textSchema, avatarUuid: v.null() })
const ROLE_FIELDS = {
  ...{
    id: textSchema,
    name: textSchema,
    desc: textSchema,
    scopes: empty,
    isAllowed: flagSchema,
    isRetired: flagSchema,
  },
}
const ORG_ROLES = v.array(
  namedSchema('OrgRole', v.object({ ...ROLE_FIELDS, isGlobal: flagSchema, minimumTeamRole: textSchema })),
)
const TEAM_ROLES = v.array(namedSchema('TeamRole', v.object({ ...ROLE_FIELDS, isMinimumRoleFor: v.null() })))

export const ORGANISATION = namedSchema(
  'Organization',
  v.object({
    ...{ id: digits, slug: textSchema, name: textSchema, dateCreated: timeSchema },
    status: v.object({ id: textSchema, name: textSchema }),
    ...{
      isEarlyAdopter: flagSchema,
      require2FA: flagSchema,
      requireEmailVerification: flagSchema,
      features: empty,
    },
    ...{ avatar: AVATAR, orgRoleList: ORG_ROLES, teamRoleList: TEAM_ROLES },
    links: v.object({ organizationUrl: textSchema, regionUrl: textSchema }),
  }),
)

const TEAM_ROLE = v.picklist(['admin', 'contributor'])
const TEAM_FIELDS = {
  ...{
    id: digits,
    slug: textSchema,
    name: textSchema,
    dateCreated: timeSchema,
    memberCount: wholeSchema,
    isMember: flagSchema,
  },
  ...{ teamRole: v.nullable(TEAM_ROLE), hasAccess: flagSchema, isPending: flagSchema, avatar: AVATAR },
}
export const TEAM = namedSchema('Team', v.object(TEAM_FIELDS))

const role = v.picklist(ROLES)
/**
 * Member fields; for someone invited who has not joined `id` is `invitation-…`, `pending` true and `user`
 * null.
 */
const MEMBER_FIELDS = {
  ...{
    id: textSchema,
    email: textSchema,
    name: textSchema,
    role,
    orgRole: role,
    pending: flagSchema,
    expired: flagSchema,
  },
  ...{ inviteStatus: v.literal('approved'), dateCreated: timeSchema, teams: v.array(textSchema) },
  teamRoles: v.array(v.object({ teamSlug: textSchema, role: TEAM_ROLE })),
  projects: v.array(textSchema),
  user: v.nullable(USER),
}
export const MEMBER = namedSchema('Member', v.object(MEMBER_FIELDS))
export const MEMBER_DETAIL = namedSchema(
  'MemberDetail',
  v.object({ ...MEMBER_FIELDS, orgRoleList: ORG_ROLES, teamRoleList: TEAM_ROLES }),
)
/** The link is shown this once. */
export const INVITED = namedSchema('InvitedMember', v.object({ ...MEMBER_FIELDS, invite_link: textSchema }))
export const TEAM_MEMBER = namedSchema(
  'TeamMember',
  v.object({ ...MEMBER_FIELDS, teamSlug: textSchema, teamRole: TEAM_ROLE }),
)
export const TEAM_MEMBERSHIP = v.object({ isActive: flagSchema, teamRole: TEAM_ROLE })

const TEAM_REF = v.object({ id: digits, slug: textSchema, name: textSchema })
const PROJECT_FIELDS = {
  ...{ id: digits, slug: textSchema, name: textSchema, platform: textOrNull, dateCreated: timeSchema },
  ...{ firstEvent: timeOrNullSchema, status: textSchema, features: empty },
  ...{
    isBookmarked: flagSchema,
    isPublic: flagSchema,
    isInternal: flagSchema,
    hasAccess: flagSchema,
    isMember: flagSchema,
  },
  ...{ color: textSchema, avatar: AVATAR },
  team: v.nullable(TEAM_REF),
  teams: v.array(TEAM_REF),
}
export const PROJECT = namedSchema('Project', v.object(PROJECT_FIELDS))
/** Project in a list, with the environments that events name. */
export const LISTED_PROJECT = namedSchema(
  'ListedProject',
  v.object({ ...PROJECT_FIELDS, environments: v.array(textSchema) }),
)
/** Project in the list of all organisations. */
export const OWN_PROJECT = namedSchema(
  'OwnProject',
  v.object({ ...PROJECT_FIELDS, organization: ORGANISATION }),
)
export const TEAM_DETAIL = namedSchema(
  'TeamDetail',
  v.object({ ...TEAM_FIELDS, organization: ORGANISATION, projects: v.array(PROJECT) }),
)

const LIMIT = v.nullable(v.object({ window: wholeSchema, count: wholeSchema }))
const SPECIAL: Readonly<Record<SpecialSetting['format'], v.GenericSchema>> = {
  'rate-limit': LIMIT,
  'span-sampling': v.nullable(v.object({ share: v.number(), slowMs: v.number() })),
  'code-mappings': v.array(
    v.object({
      ...{
        repository: textSchema,
        host: textSchema,
        branch: textSchema,
        stackRoot: textSchema,
        sourceRoot: textSchema,
      },
    }),
  ),
}

function optionAnswer(setting: Setting): v.GenericSchema {
  switch (setting.kind) {
    case 'whole':
      return wholeSchema
    case 'whole-or-none':
      return wholeOrNull
    case 'switch':
      return flagSchema
    case 'texts':
      return v.array(textSchema)
    case 'choice':
    case 'text':
      return textSchema
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
  'filters:blacklisted_ips': textSchema,
  'filters:releases': textSchema,
  'filters:error_messages': textSchema,
})
/** Settings that Errata has nothing of are off. */
const SETTINGS = {
  ...{ options: OPTIONS, allowedDomains: v.array(textSchema), fingerprintingRules: textSchema },
  ...{ sensitiveFields: v.array(textSchema), safeFields: v.array(textSchema), dataScrubber: flagSchema },
  ...{ dataScrubberDefaults: flagSchema, scrubIPAddresses: flagSchema, groupingEnhancements: textSchema },
  ...{
    digestsMinDelay: wholeSchema,
    digestsMaxDelay: wholeSchema,
    resolveAge: wholeSchema,
    scrapeJavaScript: flagSchema,
  },
  ...{
    verifySSL: flagSchema,
    securityToken: textSchema,
    securityTokenHeader: v.null(),
    subjectPrefix: textSchema,
  },
  ...{ subjectTemplate: textSchema, highlightTags: empty },
}
export const PROJECT_DETAIL = namedSchema(
  'ProjectDetail',
  v.object({ ...PROJECT_FIELDS, organization: ORGANISATION, ...SETTINGS }),
)

/** Project as an issue refers to it. */
export const PROJECT_REF = v.object({ id: digits, slug: textSchema, name: textSchema, platform: textOrNull })

/** `id` is the public half; halves that Errata has none of are null. */
export const KEY_SCHEMA = namedSchema(
  'ProjectKey',
  v.object({
    ...{
      id: textSchema,
      name: textSchema,
      label: textSchema,
      public: textSchema,
      secret: textSchema,
      projectId: wholeSchema,
      isActive: flagSchema,
    },
    rateLimit: LIMIT,
    dsn: v.object({
      ...{ public: textSchema, secret: v.null(), csp: v.null(), security: v.null(), minidump: v.null() },
      cdn: v.null(),
    }),
    dateCreated: timeSchema,
    browserSdkVersion: textSchema,
    dynamicSdkLoaderOptions: v.object({
      hasReplay: flagSchema,
      hasPerformance: flagSchema,
      hasDebug: flagSchema,
    }),
  }),
)

export const PROJECT_FILTER = namedSchema(
  'ProjectFilter',
  v.object({
    id: textSchema,
    active: flagSchema,
    name: textSchema,
    description: textSchema,
    hello: textSchema,
  }),
)

export const ENVIRONMENT = namedSchema(
  'Environment',
  v.object({ id: textSchema, name: textSchema, isHidden: flagSchema, lastSeen: timeSchema }),
)

const OWNERSHIP_PROBLEM = v.object({ line: wholeSchema, says: textSchema })
export const OWNERSHIP = namedSchema(
  'Ownership',
  v.object({
    ...{
      raw: textOrNull,
      codeowners: textOrNull,
      fallthrough: flagSchema,
      isActive: flagSchema,
      autoAssignment: textSchema,
    },
    ...{ codeownersAutoSync: flagSchema, dateCreated: timeOrNullSchema, lastUpdated: timeOrNullSchema },
    errata: v.object({
      problems: v.object({
        rules: v.array(OWNERSHIP_PROBLEM),
        codeOwners: v.array(OWNERSHIP_PROBLEM),
      }),
      cut: v.nullable(v.object({ issues: wholeSchema, lastSeen: timeSchema })),
    }),
  }),
)

export const CODE_MAPPINGS = v.object({
  ...{ created: wholeSchema, updated: wholeSchema, errors: wholeSchema },
  mappings: v.array(
    v.object({ stackRoot: textSchema, sourceRoot: textSchema, status: v.picklist(['created', 'updated']) }),
  ),
})

export const GROUPING_PREVIEW = v.object({
  ...{ looked: wholeSchema, events: wholeSchema, cut: wholeSchema, issues: wholeSchema },
  met: v.array(v.object({ line: wholeSchema, events: wholeSchema, title: textSchema })),
  problems: v.array(v.object({ line: wholeSchema, message: textSchema })),
})

export const SAVED_SEARCH = namedSchema(
  'SavedSearch',
  v.object({
    ...{ id: digits, type: v.literal(0), name: textSchema, query: textSchema, sort: textSchema },
    visibility: v.picklist(['owner', 'organization']),
    ...{ dateCreated: timeSchema, isGlobal: flagSchema, isPinned: flagSchema },
  }),
)

export const AUDIT_ENTRY = namedSchema(
  'AuditLogEntry',
  v.object({
    id: digits,
    actor: v.object({ id: v.nullable(digits), name: textSchema, email: textOrNull }),
    ...{ event: textSchema, note: textSchema, ipAddress: textOrNull, target: textSchema },
    ...{ targetObject: v.null(), targetUser: v.null() },
    data: v.record(textSchema, v.nullable(v.union([textSchema, v.number(), flagSchema]))),
    dateCreated: timeSchema,
  }),
)
export const AUDIT_LOG = v.object({ rows: v.array(AUDIT_ENTRY) })
