/** Code mappings, as sentry-cli sends them. docs/wire.md, section "Uploads". */

import * as v from 'valibot'
import { byWord } from '#base/by-word.ts'
import { max } from '#limits/limits.ts'
import { type CodeMapping, hostOfRepository, REPOSITORY_HOSTS } from '#model/code-mapping.ts'
import { CODE_MAPPINGS } from './answers/organisation.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerOk, type OrgCall, orgRoute } from './call.ts'
import { existing, grantedOrThrow } from './refusals.ts'

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
  orgRoute({
    method: 'POST',
    pattern: '/organizations/{org}/code-mappings/bulk/',
    permission: 'project.write',
    body: BULK,
    what: 'sets code mappings of a project: paths in stacks, and where they are in a repository',
    answer: CODE_MAPPINGS,
    run: setMappings,
  }),
]

const TRIES = 5

/** Mappings are written whole: what somebody else wrote meanwhile is read again, so that neither undoes the other. */
async function setMappings(call: OrgCall) {
  const body = readBody(BULK, await call.json())
  for (let tries = 1; ; tries++) {
    const { done, answer } = await triedMappings(call, body)
    if (done.ok || done.code !== 'conflict' || tries === TRIES) {
      grantedOrThrow(done)
      return answer
    }
  }
}

async function triedMappings(
  call: OrgCall,
  { project: ref, mappings, ...where }: v.InferOutput<typeof BULK>,
) {
  const project = existing(await call.queries.project(call.scope, String(ref)))
  const place = repositoryOf(where)
  const kept = new Map(project.options.codeMappings.map((each) => [each.stackRoot, each]))
  const answers = mappings.map(({ stackRoot, sourceRoot }) => {
    const status = kept.has(stackRoot) ? ('updated' as const) : ('created' as const)
    kept.set(stackRoot, { ...place, stackRoot, sourceRoot })
    return { stackRoot, sourceRoot, status }
  })
  const done = await call.commands.run('updateProject', call, {
    project: project.id,
    change: { options: { codeMappings: [...kept.values()] } },
    seen: { options: { codeMappings: project.options.codeMappings } },
  })
  const count = (status: string) => answers.filter((each) => each.status === status).length
  const counts = { created: count('created'), updated: count('updated'), errors: 0 }
  return { done, answer: answerOk({ ...counts, mappings: answers }) }
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
