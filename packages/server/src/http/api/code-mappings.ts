/** Code mappings, as sentry-cli sends them. docs/wire.md, section "Uploads". */

import * as v from 'valibot'
import { byWord } from '#base/by-word.ts'
import { max } from '#limits/limits.ts'
import { type CodeMapping, hostOfRepository, REPOSITORY_HOSTS } from '#model/code-mapping.ts'
import { CODE_MAPPINGS } from './answers/organisation.ts'
import { readBody } from './body.ts'
import { type ApiRoute, type OrgCall, ok } from './call.ts'
import { existing, granted } from './refusals.ts'

const BULK = v.object({
  project: v.union([v.string(), v.number()], 'project: the slug or id of a project.'),
  repository: v.string('repository: such as acme/shop, or its address.'),
  defaultBranch: v.optional(v.nullable(v.string())),
  provider: v.optional(v.nullable(v.string())),
  mappings: v.pipe(
    v.array(v.object({ stackRoot: v.string(), sourceRoot: v.string() })),
    v.maxLength(max('codeMappingsMax'), `At most ${max('codeMappingsMax')} mappings.`),
  ),
})

export const CODE_MAPPING_ROUTES: readonly ApiRoute[] = [
  {
    method: 'POST',
    pattern: '/organizations/{org}/code-mappings/bulk/',
    permission: 'project.write',
    body: BULK,
    what: 'sets code mappings of a project: paths in stacks, and where they are in a repository',
    answer: CODE_MAPPINGS,
    run: setMappings,
  },
]

async function setMappings(call: OrgCall) {
  const { project: ref, mappings, ...where } = readBody(BULK, await call.json())
  const project = existing(await call.queries.project(call.scope, String(ref)))
  const place = repositoryOf(where)
  const kept = new Map(project.options.codeMappings.map((each) => [each.stackRoot, each]))
  const answers = mappings.map(({ stackRoot, sourceRoot }) => {
    const status = kept.has(stackRoot) ? 'updated' : 'created'
    kept.set(stackRoot, { ...place, stackRoot, sourceRoot })
    return { stackRoot, sourceRoot, status }
  })
  granted(
    await call.commands.run('updateProject', call, {
      project: project.id,
      change: { options: { codeMappings: [...kept.values()] } },
    }),
  )
  const count = (status: string) => answers.filter((each) => each.status === status).length
  return ok({ created: count('created'), updated: count('updated'), errors: 0, mappings: answers })
}

/** `acme/shop` is on GitHub, or at the public server of the provider that is named. */
const SERVERS: Readonly<Record<string, string>> = byWord({
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  gitea: 'https://gitea.com',
  forgejo: 'https://codeberg.org',
  bitbucket: 'https://bitbucket.org',
})

type Where = Omit<v.InferOutput<typeof BULK>, 'project' | 'mappings'>

function repositoryOf({
  repository,
  provider,
  defaultBranch,
}: Where): Pick<CodeMapping, 'repository' | 'host' | 'branch'> {
  const name = (provider ?? '').replace(/^integrations:/, '')
  const named = REPOSITORY_HOSTS.find((host) => host === name)
  const server = SERVERS[named ?? 'github'] ?? ''
  const address = /^https?:/i.test(repository) ? repository : `${server}/${repository}`
  return { repository: address, host: named ?? hostOfRepository(address), branch: defaultBranch || 'main' }
}
