/**
 * The sample organisation: events that real SDKs sent (see `origin` of each payload), given new ids, people and
 * times over the last 14 days, and sent to Errata's own ingest endpoint like anybody's.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { findDigestsInText } from '@errata/server/digest-text'
import { COMMAND_LINE_FACTS, unwrap } from '../local-answers.ts'
import type { StartedErrata } from '../start-errata.ts'
import payloads from './payloads.json' with { type: 'json' }
import { type DemoEvent, makeEnvelope, planEvents } from './plan-events.ts'

const EMAIL = 'rosa@marlowfinch.example'
const ORGANISATION = 'Marlow & Finch'
const FIRST_PROJECT = 'storefront'
const SENDERS = 8

/** Fills an empty installation and answers what to print: a sign-in and a digest to paste. */
export async function fillDemo({ engine, url }: StartedErrata): Promise<string> {
  if (!(await engine.queries.needsSetup()))
    return '\nThis data directory is in use already; the demo fills an empty one only.'
  const password = randomBytes(9).toString('base64url')
  const made = unwrap(
    await engine.commands.setup(COMMAND_LINE_FACTS, {
      code: null,
      email: EMAIL,
      name: 'Rosa Kim',
      password,
      organisation: ORGANISATION,
      project: FIRST_PROJECT,
      platform: 'javascript-nextjs',
    }),
  )
  const dsns = await makeProjects(engine, made)
  const plan = planEvents(payloads, { nowMs: Date.now(), random: () => randomInt(0, 2 ** 32) / 2 ** 32 })
  await sendAll(plan, dsns, url)
  const digest = findDigestsInText(JSON.stringify(payloads).match(/"digest": ?"(\d+)"/)?.[0] ?? '')[0]
  return [
    '',
    `The sample organisation is filled: ${plan.length} events of the last 14 days.`,
    `  Sign in      ${url}/sign-in`,
    `  Mail         ${EMAIL}`,
    `  Password     ${password}`,
    `  A digest     ${digest ?? 'none'}  (paste it at ${url}/digest)`,
  ].join('\n')
}

type Engine = StartedErrata['engine']

/** DSN by project slug. */
async function makeProjects(
  engine: Engine,
  made: {
    readonly organisation: string
    readonly dsn: string
    readonly signedIn: { readonly cookie: string }
  },
): Promise<ReadonlyMap<string, string>> {
  const viewer = await engine.access.authenticateSession(made.signedIn.cookie, Date.now())
  const scope = viewer === null ? null : engine.access.scope(viewer, made.organisation)
  if (viewer === null || scope === null) throw new Error('the sample owner cannot sign in')
  const asking = { viewer, scope, ...COMMAND_LINE_FACTS }
  const dsns = new Map([[FIRST_PROJECT, made.dsn]])
  for (const name of new Set(payloads.map(({ project }) => project))) {
    if (dsns.has(name)) continue
    const input = { name, slug: name, platform: null, teams: [] }
    const created = unwrap(await engine.commands.createProject(asking, input))
    dsns.set(name, created.dsn)
  }
  await engine.commands.signOut(asking)
  return dsns
}

async function sendAll(
  plan: readonly DemoEvent[],
  dsns: ReadonlyMap<string, string>,
  url: string,
): Promise<void> {
  let next = 0
  const sender = async () => {
    for (let event = plan[next++]; event !== undefined; event = plan[next++])
      await send(event, dsns.get(event.project) ?? '', url)
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
}

const SEND_MS = 15_000

async function send(event: DemoEvent, dsn: string, url: string): Promise<void> {
  const { username: key, pathname } = new URL(dsn)
  // The public address may be another machine's name: the sample goes to this process, by the project of the DSN.
  const target = new URL(`/api${pathname}/envelope/?sentry_key=${key}&sentry_version=7`, url)
  const answer = await fetch(target, {
    method: 'POST',
    body: makeEnvelope(event),
    signal: AbortSignal.timeout(SEND_MS),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the ingest endpoint answered ${answer.status}`)
}
