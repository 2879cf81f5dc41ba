import { max } from '@errata/server/limits'
import { personRef } from '@errata/server/queries'
import { object } from 'valibot'
import { readAddress } from '#parts/address.ts'
import { namesOfProjects } from '#parts/choices.server.ts'
import { idListField, numberField } from '#parts/fields.server.ts'
import { PAGED } from '#parts/paging.server.ts'
import { paths } from '#parts/paths.ts'
import { nameParts } from '#parts/person-name.ts'
import { fitsText } from '#parts/text-match.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound, redirectTo, requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { isMoreThanCounted } from './person-more.ts'
import { dataText } from './person-text.ts'

export async function loadPeople(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, url } = org
  const { query: text } = readAddress(PAGED, url.searchParams)
  const found = await readable(ctx, 'people', {
    read: () => engine.queries.peopleFound(scope, { text }),
    otherwise: () => ({ people: [], isComplete: true, fromDay: null }),
  })
  const projects = await projectNames(
    org,
    found.people.flatMap((person) => person.projects),
  )
  return { org: scope.orgSlug, text, ...found, projects, peopleMax: max('peopleFoundMax') }
}

/** Offered below search fields. */
const OFFERED = 3
const OFFERED_MS = 500

/** Answers people that a typed text names: fast, or not at all. */
export async function answerPeopleFound(ctx: LoaderContext): Promise<Response> {
  const { engine, scope, url } = requireScope(ctx)
  const text = (url.searchParams.get('query') ?? '').slice(0, max('findCharsMax'))
  const { people } = await engine.queries.peopleFound(scope, { text, limit: OFFERED, forMs: OFFERED_MS })
  const fits = fitsText(text)
  const offers = people.map(({ key, names }) => {
    const own = nameParts(key)
    const said = names.map((name) => nameParts(name).name)
    const meant = said.find(fits)
    return { key, text: meant === undefined || meant === own.name ? own.name : `${own.name}, ${meant}` }
  })
  return Response.json({ suggestions: offers })
}

export async function loadPerson(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, params, url } = org
  const id = params.id ?? ''
  const before = Number(url.searchParams.get('before') ?? '')
  const beforeMs = Number.isFinite(before) && before > 0 ? before : null
  const key = engine.queries.personKeyOf(id)
  if (key === null) return notFound(`“${id.slice(0, 100)}” is not an ID, email, username or IP address.`)
  // One address a person, whichever way the name was spelled.
  if (key !== id) return redirectTo(`${paths.person(scope.orgSlug, key)}${url.search}`)
  const kind = KINDS.find((one) => one === url.searchParams.get('kind')) ?? null
  const view = await readable(ctx, 'person', {
    read: async () =>
      (await engine.queries.person(scope, { key, beforeMs, isErrorsOnly: kind === 'error' })) ?? {
        ...NOTHING_READ,
        key,
      },
    otherwise: () => ({ ...NOTHING_READ, key }),
  })
  const { by, person } = personRef(view.key)
  const projectSums = view.projects
  const projects = await projectNames(
    org,
    [...view.projects, ...view.items].map(({ projectId }) => projectId),
  )
  return {
    org: scope.orgSlug,
    nowMs: ctx.nowMs,
    ...{ beforeMs, kind },
    file: { by, person },
    ...view,
    ...personIssueRows(view),
    projects,
    projectSums,
  }
}

/** View of a person whom the stores did not tell in time. */
const NOTHING_READ: Omit<View, 'key'> = {
  ...{ names: [], projects: [], events: 0, traces: 0, others: 0, isTracesBounded: false },
  ...{ issues: [], isIssuesBounded: false, firstMs: null, lastMs: null, items: [], nextBeforeMs: null },
  crumbs: { errors: 0, read: 0 },
}

/** Kinds of entries that may be shown alone. */
const KINDS = ['error', 'page', 'click', 'input', 'action', 'request', 'other'] as const

type View = NonNullable<Awaited<ReturnType<OrgContext['engine']['queries']['person']>>>

/** Returns what an issue's row shows. */
function personIssueRows({ issues }: View) {
  return {
    issues: issues.map(({ issue, events, lastMs }) => ({
      ...{ id: issue.id, shortId: issue.shortId, title: issue.title, type: issue.type, value: issue.value },
      ...{ category: issue.category, level: issue.level, status: issue.status, events, lastMs },
    })),
  }
}

export type PersonData = Awaited<ReturnType<typeof loadPerson>>

/** Returns names of those that are shown, by id. */
async function projectNames(
  org: OrgContext,
  ids: readonly number[],
): Promise<Readonly<Record<string, string>>> {
  const named = await namesOfProjects(org, ids)
  return Object.fromEntries([...named].map(([id, { name }]) => [String(id), name]))
}

/** Deletes a person's data; not if there is much more than was counted for whoever confirms. */
export const deletePersonEverywhere = defineAction(
  'person.delete-everywhere',
  'person.delete',
  object({ events: numberField, traces: numberField, others: numberField, projects: idListField }),
  async (ctx, counted) => {
    const { engine, scope, params } = ctx
    const key = params.id ?? ''
    const view = await engine.queries.person(scope, { key, beforeMs: null })
    if (view === null) return notFound()
    if (isMoreThanCounted(view, counted)) {
      const now = dataText({ ...view, issues: view.issues.length })
      const message = `There is more data now: ${now}. Check and confirm again.`
      return { error: { code: 'conflict' as const, message } }
    }
    const projects = view.projects.map(({ projectId, events, traces, others }) => ({
      ...{ projectId, events, traces, others },
      issues: view.issues.filter(({ issue }) => issue.projectId === projectId).length,
    }))
    const done = await engine.commands.deletePersonIn(ctx, { projects, person: personRef(view.key) })
    return done.ok ? { redirect: paths.person(scope.orgSlug, view.key) } : done
  },
)
