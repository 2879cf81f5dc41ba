import { alertBody, sampleOfRule } from '@errata/server/commands'
import { max } from '@errata/server/limits'
import {
  type AlertRule,
  type AlertRuleView,
  conditionOf,
  isMuted,
  type Queries,
  type RuleDraft,
  ruleSentence,
  spanOfMinutes,
  unitOf,
  valueWords,
  volumeWords,
} from '@errata/server/queries'
import { type AddressTable, readAddress } from '#parts/address.ts'
import { namesOfProjects, projectChoices } from '#parts/choices.server.ts'
import { PAGED, pageOf } from '#parts/paging.server.ts'
import { hoursShown, timeZones } from '#parts/quiet-hours.server.ts'
import { REQUEST_KINDS } from '#parts/request-kinds.ts'
import { serviceOf } from '#parts/service-name.server.ts'
import { fitsText } from '#parts/text-match.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { boundsOf } from './chart-bounds.ts'
import type { Picture } from './picture.ts'
import { pictureOf } from './pictures.server.ts'
import { isReadableRule } from './readable-rule.ts'
import { newRule, ruleFields } from './rule-form.ts'
import { type Names, optionsOf, pickedProjects, ruleNames } from './rule-options.server.ts'
import { RULES } from './rules-params.ts'
import { draftOfRule, seenQuietHours, seenRule } from './seen.server.ts'
import { warningText } from './warning-text.ts'

/** Returns the counts on the tabs. */
export async function frameOf({ engine, scope, nowMs }: OrgContext) {
  const [views, channels, { rules, projects }] = await Promise.all([
    engine.queries.alertRules(scope),
    engine.queries.channels(scope),
    engine.queries.deliveryCounts(scope),
  ])
  const messages = [rules, projects].flatMap(Object.values).reduce((sum, count) => sum + count, 0)
  const muted = views.filter(({ rule }) => isMuted(rule, nowMs)).length
  const sent = { delivered: rules.sent, failed: rules.failed }
  return {
    views,
    channels,
    sent,
    counts: { rules: views.length, messages, channels: channels.length, muted },
  }
}

function orgContext(ctx: LoaderContext): OrgContext {
  return requireScope(ctx)
}

export async function loadRules(ctx: LoaderContext) {
  const org = orgContext(ctx)
  const { engine, scope, url, viewer, nowMs } = org
  const address = readAddress(RULES, url.searchParams)
  const { views, counts, sent } = await frameOf(org)
  const [choices, names] = await Promise.all([
    projectChoices(org, address.project === null ? [] : [address.project]),
    ruleNames(
      org,
      views.flatMap((view) => (hasWords(view) ? [view.rule] : [])),
    ),
  ])
  const rows = views
    .map((view) => ruleRow(view, { names, nowMs }))
    .sort((a, b) => stateRank(a) - stateRank(b))
  const [chosen] = choices.chosen
  const fits = fitsText(address.query)
  const matching = rows.filter(
    (row) =>
      (chosen === undefined || row.projectIds === null || row.projectIds.some((id) => id === chosen.id)) &&
      (address.kind === null || row.kind === address.kind) &&
      fits(`${row.name} ${row.sentence} ${row.notifies} ${row.by}`),
  )
  const { rows: shown, ...paging } = pageOf(matching, readAddress(PAGED, org.url.searchParams).page)
  const isLast = paging.page === paging.pages
  return {
    org: scope.orgSlug,
    ...{ counts, address, choices, ...paging },
    mayWrite: engine.access.can(viewer, scope, 'alert.write'),
    sums: { ...countByState(rows), ...sent },
    rows: await withProjects(org, shown.map(shortenRow)),
    /** Alerts that projects send by themselves. */
    builtIn: isLast ? await builtIn(org, choices.chosen) : [],
  }
}

/** New and returned issues by email and webhook: a setting of each project, not a rule. */
async function builtIn({ engine, scope }: OrgContext, chosen: readonly { readonly slug: string }[]) {
  const { rows } = await engine.queries.projectNames(scope, {
    ...(chosen.length > 0 && { slugs: chosen.map(({ slug }) => slug) }),
    limit: BUILT_IN_MAX,
  })
  const views = await Promise.all(rows.map(({ slug }) => engine.queries.notices(scope, slug, null)))
  return views.flatMap((view) =>
    view === null
      ? []
      : [
          {
            project: view.project.slug,
            isOn: view.settings.mail || view.settings.webhook !== null,
            notifies: [
              ...(view.settings.mail ? ['Email members'] : []),
              ...(view.settings.webhook === null ? [] : ['Webhook']),
            ].join(', '),
          },
        ],
  )
}

const BUILT_IN_MAX = 20

type Row = ReturnType<typeof ruleRow>

function ruleRow(view: AlertRuleView, { names, nowMs }: { readonly names: Names; readonly nowMs: number }) {
  const { rule, state, failedMs, firedByDay, firedLastMs } = view
  const { id, name, kind, projects, isOn, isPreset, createdBy, notify, mute } = rule
  const worded = hasWords(view)
  const muted = isMuted(rule, nowMs) ? { untilMs: mute?.untilMs ?? null, by: mute?.by ?? '' } : null
  return {
    ...{ id, name, kind, isOn, muted, firedByDay, firedLastMs },
    ...stateOf(rule, { state, failedMs }),
    sentence: worded ? ruleSentence(rule, names) : FAILED,
    value: worded ? valueNow(rule, state?.value ?? null) : null,
    warns: worded && state?.level === 'warning' ? warningText(rule) : null,
    projectIds: projects,
    notifies: worded ? notify.map(({ target }) => names.target(target)).join(', ') || 'nobody' : '',
    by: isPreset ? 'preset' : createdBy,
  }
}

/** False where what is stored is no rule that has words. */
function hasWords({ rule, failedMs }: Pick<AlertRuleView, 'rule' | 'failedMs'>): boolean {
  return failedMs === null && isReadableRule(rule)
}

const FAILED = 'This rule can’t be evaluated as saved. Save it again, or delete it.'

/** With the names of a few of its projects: a rule may be of all that there are. */
async function withProjects(org: OrgContext, rows: readonly Row[]) {
  const named = await namesOfProjects(
    org,
    rows.flatMap(({ projectIds }) => (projectIds ?? []).slice(0, PROJECTS_NAMED)),
  )
  return rows.map(({ projectIds, ...row }) => ({
    ...row,
    project:
      projectIds === null
        ? 'all projects'
        : projectIds
            .slice(0, PROJECTS_NAMED)
            .map((id) => named.get(id)?.slug ?? 'other')
            .join(', '),
    moreProjects: Math.max(0, (projectIds ?? []).length - PROJECTS_NAMED),
  }))
}

const PROJECTS_NAMED = 3

/** The page of the rule says all of it. */
function shortenRow(row: Row): Row {
  return { ...row, sentence: cutSentence(row.sentence), notifies: cutSentence(row.notifies) }
}

const SENTENCE_CHARS = 400

function cutSentence(text: string): string {
  return text.length <= SENTENCE_CHARS ? text : `${text.slice(0, SENTENCE_CHARS).toWellFormed().trimEnd()}…`
}

/** A metric without a value concludes nothing: there was too little of what it measures. */
function stateOf(rule: AlertRule, { state, failedMs }: Pick<AlertRuleView, 'state' | 'failedMs'>) {
  if (!rule.isOn) return { state: 'off', few: null } as const
  if (failedMs !== null || !isReadableRule(rule)) return { state: 'failed', few: null } as const
  if (rule.kind === 'issue') return { state: 'ok', few: null } as const
  if (state === null) return { state: 'few', few: 'No data yet' } as const
  const isFew = state.level === 'ok' && state.value === null && rule.when.measure.of !== 'silence'
  if (isFew) return { state: 'few', few: `Not enough ${volumeWords(rule.when.measure)}` } as const
  return { state: state.level, few: null }
}

function valueNow(rule: AlertRule, value: number | null): string | null {
  return rule.kind === 'metric' && value !== null ? valueWords(rule.when.measure, value) : null
}

const RANKS = { failed: 0, critical: 0, warning: 1, few: 2, ok: 2, off: 4 } as const
const MUTED_RANK = 3

/** Ranks what needs somebody first; equal rules keep their order. */
function stateRank({ state, muted }: Row): number {
  return muted === null || state === 'off' ? RANKS[state] : MUTED_RANK
}

function countByState(rows: readonly Row[]) {
  const of = (wanted: (row: Row) => boolean) => rows.filter(wanted).length
  return {
    critical: of(({ state }) => state === 'critical'),
    broken: of(({ state }) => state === 'failed'),
    warning: of(({ state }) => state === 'warning'),
    quiet: of(({ state, muted }) => state === 'ok' && muted === null),
    few: of(({ state, muted }) => state === 'few' && muted === null),
    muted: of(({ muted }) => muted !== null),
    off: of(({ isOn }) => !isOn),
    fired: rows.reduce((sum, { firedByDay }) => sum + firedByDay.reduce((days, count) => days + count, 0), 0),
  }
}

/** Kind of a new rule; of one that is there, firings before this one. */
const RULE = {
  kind: { type: 'choice', first: 'issue', of: ['issue', 'metric'] },
  before: { type: 'number', first: null },
} as const satisfies AddressTable

/** Loads one rule, or the first settings of a new one. */
export async function loadRule(ctx: LoaderContext) {
  const org = orgContext(ctx)
  const { engine, scope, url, params, viewer } = org
  const ref = params.rule
  const view = ref === undefined ? null : await requireRuleView(org, ref)
  const { kind, before } = readAddress(RULE, url.searchParams)
  const rule = view?.rule ?? null
  const readable = rule !== null && isReadableRule(rule) ? rule : null
  const [names, options] = await Promise.all([
    ruleNames(org, readable === null ? [] : [readable]),
    optionsOf(org, readable),
  ])
  const fields = readable === null ? await newFields(org, kind) : ruleFields(readable)
  const firings = rule === null ? [] : await engine.queries.alertFirings(scope, { ruleId: rule.id, before })
  return {
    org: scope.orgSlug,
    mayWrite: engine.access.can(viewer, scope, 'alert.write'),
    rule:
      rule === null
        ? null
        : {
            ...{ id: rule.id, name: rule.name, isOn: rule.isOn, isPreset: rule.isPreset },
            ...{ createdBy: rule.createdBy, changedBy: rule.changedBy, changedMs: rule.changedMs },
            muted: isMuted(rule, ctx.nowMs) ? { untilMs: rule.mute?.untilMs ?? null } : null,
            ...stateOf(rule, view ?? { state: null, failedMs: null }),
            failedMs: view?.failedMs ?? null,
            value: readable === null ? null : valueNow(readable, view?.state?.value ?? null),
            sentence: readable === null ? FAILED : ruleSentence(readable, names),
            seen: seenRule(rule),
            /** Its stored form as text, where no form can show it. */
            stored: readable === null ? JSON.stringify(draftOfRule(rule), null, 2) : null,
          },
    fields,
    picked: await pickedProjects(org, fields.projects),
    options,
    firings: firings.map((firing) => ({
      ...firing,
      value:
        readable?.kind === 'metric' && firing.extreme !== null
          ? valueWords(readable.when.measure, firing.extreme)
          : null,
    })),
    rowsMax: max('alertFiringRows'),
    // What cannot be evaluated has nothing to preview.
    preview:
      readable === null || view?.failedMs !== null ? null : await previewDraft(org, readable, readable.id),
  }
}

function isRequestKind(text: string): text is keyof typeof REQUEST_KINDS {
  return Object.hasOwn(REQUEST_KINDS, text)
}

/** `?project`, `?route` and `?requestKind` say what it is about; window and minimum are what its own traffic reaches. */
async function newFields({ engine, scope, url }: OrgContext, kind: 'issue' | 'metric') {
  const fields = newRule(kind)
  const asked = (name: string) => (url.searchParams.get(name) ?? '').slice(0, max('routeCharsMax'))
  const { rows } = await engine.queries.projectNames(scope, { slugs: [asked('project')], limit: 1 })
  const [project] = rows
  const about = { ...fields, projects: project === undefined ? [] : [String(project.id)] }
  if (kind === 'issue') return about
  const typedKind = asked('requestKind')
  const requestKind = isRequestKind(typedKind) ? typedKind : null
  const traffic = await engine.queries.trafficDefaults(scope, {
    projects: project === undefined ? null : [project.id],
    route: asked('route') === '' ? null : asked('route'),
    kind: requestKind,
  })
  const usual =
    traffic === null ? {} : { windowMinutes: String(traffic.windowMinutes), atLeast: String(traffic.atLeast) }
  return {
    ...about,
    name: nameAbout(asked('route'), requestKind),
    metric: { ...about.metric, route: asked('route'), requestKind: requestKind ?? '', ...usual },
  }
}

/** Returns a name for a rule about a route, to be typed over; empty for one about everything. */
function nameAbout(route: string, requestKind: string | null): string {
  return route === ''
    ? ''
    : ['Failures of', route, requestKind ?? ''].join(' ').trim().slice(0, max('alertNameCharsMax'))
}

async function requireRuleView({ engine, scope }: OrgContext, ref: string): Promise<AlertRuleView> {
  const view = /^[1-9]\d{0,14}$/.test(ref) ? await engine.queries.alertRule(scope, Number(ref)) : null
  return view ?? notFound()
}

/** Previews a draft in words and numbers for a view. `ruleId` is the saved rule's, `null` before. */
export async function previewDraft(org: OrgContext, draft: RuleDraft, ruleId: number | null) {
  const { engine, scope } = org
  const [preview, picture] = await Promise.all([
    engine.queries.alertPreview(scope, draft),
    pictureOfRule(org, draft, ruleId),
  ])
  const measure = draft.kind === 'metric' ? draft.when.measure : null
  const words = (value: number | null) =>
    measure === null || value === null ? null : valueWords(measure, value)
  const lines =
    draft.kind === 'metric'
      ? (['critical', 'warning', 'resolved'] as const).flatMap((name) => {
          const at = draft.when[name]
          return at === null ? [] : [{ name, at, text: valueWords(draft.when.measure, at) }]
        })
      : []
  return {
    ...{ startMs: preview.startMs, endMs: preview.endMs, values: preview.values, notes: preview.notes },
    enough: preview.enough,
    minimum: minimumWords(draft, preview.minimum, words),
    ...{ messages: preview.messages, atNight: preview.atNight, variants: preview.variants, lines },
    picture,
    name: draft.kind === 'metric' ? ruleSentence(draft) : '',
    unit: measure === null ? '' : unitOf(measure),
    condition: draft.kind === 'metric' ? conditionOf(draft.when, 'critical') : '',
    scale: measure === null ? null : scaleOf(measure, preview.values ?? [], lines),
    top: words(Math.max(0, ...(preview.values ?? []).flatMap((value) => value ?? []))),
    firings: preview.firings.map(({ issueId, extreme, ...firing }) => ({
      ...firing,
      value: words(extreme),
      issue: issueId === null ? null : (preview.issues[issueId] ?? null),
    })),
  }
}

/** Describes what keeps the rule from concluding anything, with values that would not. */
function minimumWords(
  draft: RuleDraft,
  minimum: Awaited<ReturnType<Queries['alertPreview']>>['minimum'],
  words: (value: number | null) => string | null,
) {
  if (draft.kind === 'issue' || minimum === null || minimum.hours === 0) return null
  const { measure, windowMinutes, atLeast } = draft.when
  const [what, within] = [volumeWords(measure), spanOfMinutes(windowMinutes)]
  const most = minimum.most.toLocaleString('en-US')
  return {
    isOutOfReach: minimum.enough === 0,
    few: minimum.hours - minimum.enough,
    hours: minimum.hours,
    worst: words(minimum.worst),
    reason: `there were at most ${most} ${what} within ${within}, and the rule needs at least ${atLeast.toLocaleString('en-US')}`,
    what,
    offers: minimum.offers.map((offer) => ({
      ...offer,
      text: `at least ${offer.atLeast.toLocaleString('en-US')} within ${spanOfMinutes(offer.windowMinutes)}`,
    })),
  }
}

type Measure = Extract<RuleDraft, { readonly kind: 'metric' }>['when']['measure']

/** From zero, or from a little below where all figures are high: what hovers at 99 % shows nothing on a scale from zero. */
function scaleOf(
  measure: Measure,
  values: readonly (number | null)[],
  lines: readonly { readonly at: number }[],
) {
  const { base, top } = boundsOf([...values, ...lines.map(({ at }) => at)], SHARE_TOPS[measure.of])
  const ticks = [base, (base + top) / 2, top].map((at) => ({ at, text: valueWords(measure, at) }))
  return { base, top, ticks }
}

const SHARE_TOPS: Readonly<Partial<Record<Measure['of'], number>>> = {
  ...{ 'crash-free': 100, 'failure-rate': 100, apdex: 1 },
}

/** Renders what the rule's first receiver would get, by the renderer that delivers. */
async function pictureOfRule(
  { engine, scope, nowMs }: OrgContext,
  draft: RuleDraft,
  ruleId: number | null,
): Promise<RulePicture> {
  const [organisation, channels] = await Promise.all([
    engine.queries.organisation(scope),
    engine.queries.channels(scope),
  ])
  const [channel] = draft.notify.flatMap(({ target }) =>
    target.to === 'channel' ? (channels.find(({ id }) => id === target.channelId) ?? []) : [],
  )
  const kind = channel?.kind ?? 'email'
  const message = sampleOfRule(draft, { organisation, atMs: nowMs, ruleId })
  const { url } = engine.publicAddress
  const body = alertBody(message, { kind, template: channel?.settings.template ?? '', url })
  return { service: serviceOf(kind), picture: pictureOf(kind, body) }
}

interface RulePicture {
  readonly service: string
  readonly picture: Picture
}

export async function loadMutes(ctx: LoaderContext) {
  const org = orgContext(ctx)
  const { engine, scope, viewer, nowMs } = org
  const { views, counts } = await frameOf(org)
  return {
    ...{ org: scope.orgSlug, counts, mayWrite: engine.access.can(viewer, scope, 'alert.write') },
    rows: views
      .filter(({ rule }) => isMuted(rule, nowMs))
      .map(({ rule: { id, name, mute } }) => ({
        id,
        name,
        untilMs: mute?.untilMs ?? null,
        by: mute?.by ?? '',
      })),
  }
}

export async function loadQuietHours(ctx: LoaderContext) {
  const org = orgContext(ctx)
  const { engine, scope, viewer } = org
  const [{ counts }, hours] = await Promise.all([frameOf(org), engine.queries.quietHours(scope)])
  return {
    ...{ org: scope.orgSlug, counts, mayWrite: engine.access.can(viewer, scope, 'alert.write') },
    zones: timeZones(),
    hours: hoursShown(hours),
    seen: seenQuietHours(hours),
  }
}
