/** Asks the server for one place of each script, and holds its answer against the map that was built. */
import { setTimeout as pause } from 'node:timers/promises'
import { max } from '@errata/server/limits'
import * as v from 'valibot'
import type { CoveredFile } from './built-file.ts'
import { isSamePlace, type Place } from './probe.ts'
import { explainMissing, type ServerCalls } from './server-calls.ts'
import type { BuildName, Target } from './target.ts'

export interface Problem {
  readonly reason: string
  readonly title: string
  readonly cause: string
  readonly next: string
}

export interface Proof {
  readonly covered: CoveredFile
  /** Original that the server resolved. */
  readonly original: (Place & { readonly function: string | null }) | null
  /** `null`: it is what the map says. */
  readonly problem: Problem | null
}

export interface ProofOptions {
  readonly calls: ServerCalls
  readonly target: Target
  readonly name: BuildName
  readonly addressOf: (file: string) => string
  /** How long maps may take to be made ready. */
  readonly waitMs: number
}

const ORIGINAL = v.object({
  ...{ source: v.string(), line: v.number(), column: v.number() },
  function: v.nullable(v.string()),
})
const PROBLEM = v.object({ reason: v.string(), title: v.string(), cause: v.string(), next: v.string() })
const CHECKED = v.object({
  places: v.array(v.object({ original: v.nullable(ORIGINAL), problem: v.nullable(PROBLEM) })),
})
type Checked = v.InferOutput<typeof CHECKED>['places'][number]

const PENDING = 'map_pending'
const POLL_MS = 500
const POLL_MS_MAX = 5_000

/** Proves files in their order. */
export async function prove(files: readonly CoveredFile[], options: ProofOptions): Promise<readonly Proof[]> {
  const answers = new Map<CoveredFile, Checked>()
  const end = performance.now() + options.waitMs
  for (let pauseMs = POLL_MS; ; pauseMs = Math.min(POLL_MS_MAX, pauseMs * 2)) {
    const open = files.filter((file) => (answers.get(file)?.problem?.reason ?? PENDING) === PENDING)
    for (const [file, answer] of await ask(open, options)) answers.set(file, answer)
    const isDone = files.every((file) => answers.get(file)?.problem?.reason !== PENDING)
    if (isDone || performance.now() > end) break
    await pause(pauseMs)
  }
  return files.map((file) => proofOf(file, answers.get(file)))
}

/** Before any file is changed: whether there is a project to upload to, and a server that can be asked. */
export async function requireProject(calls: ServerCalls, target: Target): Promise<void> {
  await calls.post(checkPath(target), { json: { places: [] } }, CHECKED).catch(explainMissing(target))
}

function checkPath({ org, project }: Target): string {
  return `/projects/${encodeURIComponent(org)}/${encodeURIComponent(project)}/source-maps/check/`
}

async function ask(
  files: readonly CoveredFile[],
  { calls, target, name, addressOf }: ProofOptions,
): Promise<readonly (readonly [CoveredFile, Checked])[]> {
  const answers: (readonly [CoveredFile, Checked])[] = []
  const most = max('checkedPlacesMax')
  for (let at = 0; at < files.length; at += most) {
    const asked = files.slice(at, at + most)
    const places = asked.map(({ file, debugId, probe: { line, column } }) => ({
      ...{ path: addressOf(file), debugId, release: name.release, dist: name.dist, line, column },
    }))
    const { places: found } = await calls.post(checkPath(target), { json: { places } }, CHECKED)
    for (const [index, file] of asked.entries()) {
      const answer = found[index]
      if (answer !== undefined) answers.push([file, answer])
    }
  }
  return answers
}

const NO_ANSWER: Problem = {
  reason: 'no_answer',
  title: 'Not checked',
  cause: 'The server gave no answer for this file.',
  next: 'Run this again: files already uploaded aren’t sent again.',
}

function proofOf(covered: CoveredFile, answer: Checked | undefined): Proof {
  if (answer === undefined) return { covered, original: null, problem: NO_ANSWER }
  const { original, problem } = answer
  const { expected } = covered.probe
  if (problem !== null || (original !== null && isSamePlace(expected, original)))
    return { covered, original, problem }
  const found = original === null ? 'nothing' : placeText(original)
  return {
    ...{ covered, original },
    problem: {
      ...{ reason: 'other_place', title: 'Resolves to another place' },
      cause: `Its map says ${placeText(expected)}, and the server answered ${found}.`,
      next: 'Build into an empty folder and upload again: another upload may have the same debug ID or address.',
    },
  }
}

export function placeText({ source, line, column }: Place): string {
  return `${source}:${line}:${column}`
}
