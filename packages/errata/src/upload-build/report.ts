/** Result of an upload: as a table for people, or as JSON. */
import { countText } from '../command-line.ts'
import { type BuiltFile, type CoveredFile, NOT_COVERED, type UncoveredFile } from './built-file.ts'
import { type Problem, type Proof, placeText } from './proof.ts'
import type { BuildName, Target } from './target.ts'

export interface SentBundle {
  readonly sha1: string
  readonly files: number
  readonly bytes: number
  /** False: the server had it. */
  readonly isNew: boolean
}

export interface Outcome {
  readonly directory: string
  /** `null`: nothing was to be sent. */
  readonly target: Target | null
  readonly name: BuildName
  readonly files: readonly BuiltFile[]
  readonly bundles: readonly SentBundle[]
  readonly proofs: readonly Proof[]
  /** Server actions whose names were sent. */
  readonly actions: number
}

/** All that has a map resolved, and something has. Without an upload: nothing is in the way of one. */
export function isGood({ files, proofs, target }: Outcome): boolean {
  const covered = coveredOf(files)
  const isProven = target === null || covered.every((file) => proofOf(proofs, file)?.problem === null)
  return covered.length > 0 && isProven && uncoveredOf(files).every(({ why }) => !NOT_COVERED[why].isFailure)
}

export function reportJson(outcome: Outcome): string {
  const { target, name, files, bundles, proofs } = outcome
  return JSON.stringify({
    ok: isGood(outcome),
    ...(target === null ? {} : { url: target.url, org: target.org, project: target.project }),
    ...name,
    bundles: bundles.map(({ sha1, files: count, bytes, isNew }) => ({
      sha1,
      files: count,
      bytes,
      uploaded: isNew,
    })),
    actions: outcome.actions,
    files: files.map((file) => fileJson(file, proofs)),
  })
}

function fileJson(built: BuiltFile, proofs: readonly Proof[]): Readonly<Record<string, unknown>> {
  const { file, state } = built
  if (state === 'unmapped') return { file, state }
  if (state === 'copy') return { file, state, debugId: built.debugId, of: built.of }
  if (state === 'uncovered') return { file, state, problem: problemOf(built) }
  const proof = proofOf(proofs, built)
  const { debugId, isInjected, probe } = built
  return {
    ...{ file, debugId, injected: isInjected },
    state: proof === undefined ? 'ready' : proof.problem === null ? 'resolved' : 'failed',
    ...{ line: probe.line, column: probe.column, expected: probe.expected },
    ...{ original: proof?.original ?? null, problem: proof?.problem ?? null },
  }
}

function problemOf({ why, detail }: UncoveredFile): Problem {
  const { title, next } = NOT_COVERED[why]
  return { reason: why, title, cause: detail, next }
}

/** Lines of a list; `--json` has the rest. */
const ROWS_MAX = 40
const COLUMN_CHARS_MAX = 60

export function reportText(outcome: Outcome): string {
  const { files, proofs } = outcome
  const failed = proofs.filter(({ problem }) => problem !== null)
  const resolved = proofs.filter(({ problem }) => problem === null)
  const sections = [
    headText(outcome),
    listText('Resolved', resolved.map(resolvedRow)),
    listText('Ready to upload', outcome.target === null ? coveredOf(files).map(readyRow) : []),
    problemsText(failed.map(({ covered, problem }) => ({ file: covered.file, problem }))),
    problemsText(uncoveredOf(files).map((file) => ({ file: file.file, problem: problemOf(file) }))),
    endText(outcome),
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

function headText(outcome: Outcome): string {
  const { directory, target, files } = outcome
  const covered = coveredOf(files)
  const injected = covered.filter(({ isInjected }) => isInjected).length
  const count = (state: BuiltFile['state']) => files.filter((file) => file.state === state).length
  const rows: readonly (readonly [label: string, text: string | null])[] = [
    ['Build', `${directory}: ${countText(files.length, 'script')}, ${covered.length} with a source map`],
    [
      'Debug IDs',
      covered.length === 0
        ? null
        : `${injected} ${target === null ? 'to inject' : 'injected'}, ${covered.length - injected} already there`,
    ],
    [
      'Copies',
      count('copy') === 0 ? null : `${countText(count('copy'), 'script')} with the debug ID of another`,
    ],
    [
      'Empty',
      count('unmapped') === 0
        ? null
        : `${countText(count('unmapped'), 'script')} without code from a source file`,
    ],
    ['Server', target === null ? null : serverText(outcome, target)],
    ['Uploaded', target === null ? null : uploadedText(outcome.bundles)],
    ['Actions', outcome.actions === 0 ? null : `${countText(outcome.actions, 'server action')} named`],
  ]
  return rows.flatMap(([label, text]) => (text === null ? [] : [`${label.padEnd(11)}${text}`])).join('\n')
}

function serverText({ name: { release, dist } }: Outcome, { url, org, project }: Target): string {
  const build = release === null ? '' : `, release ${release}${dist === null ? '' : `, dist ${dist}`}`
  return `${url}, ${org}/${project}${build}`
}

function uploadedText(bundles: readonly SentBundle[]): string {
  const sent = bundles.filter(({ isNew }) => isNew)
  if (sent.length === 0) return bundles.length === 0 ? 'nothing' : 'nothing: it is all there'
  const bytes = sent.reduce((sum, bundle) => sum + bundle.bytes, 0)
  return `${countText(sent.length, 'bundle')}, ${bytesText(bytes)}`
}

function resolvedRow({ covered: { file, probe }, original }: Proof): readonly [string, string] {
  return [`${file}:${probe.line}:${probe.column}`, original === null ? '' : placeText(original)]
}

function readyRow({ file, probe, isInjected, debugId }: CoveredFile): readonly [string, string] {
  return [
    `${file}:${probe.line}:${probe.column}`,
    `${isInjected ? 'gets' : 'has'} ${debugId ?? 'no debug ID'}`,
  ]
}

function listText(title: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return ''
  const width = Math.min(COLUMN_CHARS_MAX, Math.max(...rows.map(([left]) => left.length)))
  const lines = rows.slice(0, ROWS_MAX).map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
  return [`${title} (${rows.length})`, ...lines, ...moreLines(rows.length)].join('\n')
}

/** Files that share what is wrong with them share the words. */
function problemsText(
  problems: readonly { readonly file: string; readonly problem: Problem | null }[],
): string {
  const groups = new Map<string, { readonly problem: Problem; readonly files: string[] }>()
  for (const { file, problem } of problems) {
    if (problem === null) continue
    const key = JSON.stringify([problem.title, problem.next])
    const group = groups.get(key) ?? { problem, files: [] }
    group.files.push(problem.cause === '' ? file : `${file}: ${problem.cause}`)
    groups.set(key, group)
  }
  return [...groups.values()]
    .map(({ problem: { title, next }, files }) =>
      [
        `Not covered: ${title} (${files.length})`,
        ...files.slice(0, ROWS_MAX).map((file) => `  ${file}`),
        ...moreLines(files.length),
        `  → ${next}`,
      ].join('\n'),
    )
    .join('\n\n')
}

function moreLines(count: number): readonly string[] {
  return count > ROWS_MAX ? [`  … and ${count - ROWS_MAX} more; --json lists all`] : []
}

function endText(outcome: Outcome): string {
  const { files, proofs, target } = outcome
  const covered = coveredOf(files)
  if (covered.length === 0)
    return 'No script here has a source map, so nothing would be readable. Turn source maps on in the bundler, and build again.'
  if (target === null)
    return isGood(outcome)
      ? 'Nothing was changed or sent.'
      : 'Nothing was changed or sent. Check the scripts listed above first.'
  const failed = proofs.filter(({ problem }) => problem !== null).length
  if (failed > 0) return `${failed} of ${countText(covered.length, 'script')} not resolved.`
  const all =
    covered.length === 1
      ? 'The script with a source map resolves'
      : `All ${covered.length} scripts with a source map resolve`
  return isGood(outcome)
    ? `${all}. Deploy these files.`
    : `${covered.length} resolved, and some have a map that can’t be used.`
}

function coveredOf(files: readonly BuiltFile[]): readonly CoveredFile[] {
  return files.filter((file) => file.state === 'covered')
}

function uncoveredOf(files: readonly BuiltFile[]): readonly UncoveredFile[] {
  return files.filter((file) => file.state === 'uncovered')
}

function proofOf(proofs: readonly Proof[], file: CoveredFile): Proof | undefined {
  return proofs.find(({ covered }) => covered === file)
}

function bytesText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
