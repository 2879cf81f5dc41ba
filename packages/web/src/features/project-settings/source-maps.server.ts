import { REPOSITORY_HOSTS } from '@errata/server/queries'
import { object } from 'valibot'
import { type AddressTable, readAddress } from '#parts/address.ts'
import { choiceField, idField, textField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { requireProject } from './required-project.server.ts'

const TEXT_CHARS_MAX = 400

const TEXT = { type: 'text', first: '', charsMax: TEXT_CHARS_MAX } as const

const UPLOADS = {
  query: TEXT,
  /** The last upload of the page before. */
  before: { type: 'number', first: null },
  check: TEXT,
  release: TEXT,
  dist: TEXT,
} as const satisfies AddressTable

export async function loadSourceMaps(ctx: LoaderContext) {
  const { engine, scope, url, nowMs } = requireScope(ctx)
  const ref = ctx.params.project ?? ''
  const { query, before: beforeId, ...asked } = readAddress(UPLOADS, url.searchParams)
  const uploads = { text: query, beforeId }
  const [{ quota }, view, check] = await Promise.all([
    engine.queries.artifactQuota(scope),
    readable(ctx, 'missed', {
      read: () => engine.queries.sourceMaps(scope, ref, uploads),
      otherwise: () => engine.queries.sourceMaps(scope, ref, { ...uploads, withoutEvents: true }),
    }),
    readable(ctx, 'check', {
      read: async () => checkOf(requireScope(ctx), ref, asked),
      otherwise: () => null,
    }),
  ])
  if (view === null) return notFound()
  const { project, ...rest } = view
  return {
    ...rest,
    ...{ org: scope.orgSlug, nowMs, query, isFirst: beforeId === null, asked, check },
    project: { id: project.id, name: project.name, slug: project.slug },
    quota,
    mappings: project.options.codeMappings,
    hosts: REPOSITORY_HOSTS,
  }
}

interface AskedCheck {
  readonly check: string
  readonly release: string
  readonly dist: string
}

function checkOf({ engine, scope }: OrgContext, ref: string, { check, release, dist }: AskedCheck) {
  if (check === '') return null
  return engine.queries.checkLookUp(scope, ref, {
    text: check,
    release: release === '' ? null : release,
    dist: dist === '' ? null : dist,
  })
}

export const deleteArtifact = defineAction(
  'artifact.delete',
  'release.write',
  object({ bundle: idField }),
  async (ctx, { bundle }) => ctx.engine.commands.deleteArtifacts(ctx, [bundle]),
)

/** The list is written whole: what somebody else adds meanwhile is not lost. */
function mappingsSeen({ options: { codeMappings } }: Awaited<ReturnType<typeof requireProject>>) {
  return { options: { codeMappings } }
}

/** Adds a mapping; it takes the place of one with the same beginning. */
export const addCodeMapping = defineAction(
  'mapping.add',
  'project.write',
  object({
    stackRoot: textField,
    sourceRoot: textField,
    repository: textField,
    host: choiceField(REPOSITORY_HOSTS),
    branch: textField,
  }),
  async (ctx, mapping) => {
    const project = await requireProject(ctx)
    const others = project.options.codeMappings.filter(({ stackRoot }) => stackRoot !== mapping.stackRoot)
    const change = { options: { codeMappings: [...others, mapping] } }
    const asked = { project: project.id, change, seen: mappingsSeen(project) }
    const done = await ctx.engine.commands.run('updateProject', ctx, asked)
    return done.ok ? { redirect: paths.projectSourceMaps(ctx.scope.orgSlug, project.slug) } : done
  },
)

export const removeCodeMapping = defineAction(
  'mapping.remove',
  'project.write',
  object({ stackRoot: textField }),
  async (ctx, { stackRoot }) => {
    const project = await requireProject(ctx)
    const codeMappings = project.options.codeMappings.filter((each) => each.stackRoot !== stackRoot)
    const change = { options: { codeMappings } }
    const asked = { project: project.id, change, seen: mappingsSeen(project) }
    const done = await ctx.engine.commands.run('updateProject', ctx, asked)
    return done.ok ? { result: codeMappings.length } : done
  },
)
