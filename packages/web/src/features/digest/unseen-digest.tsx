import type { DigestLookup } from '@errata/server/queries'
import { DocsLink } from '#parts/docs-link.tsx'
import { paths } from '#parts/paths.ts'
import { SnippetBox } from '#parts/snippet-box.tsx'
import { DigestChip } from '#ui/digest-chip.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { referenceLines } from './reference-lines.ts'

type Unseen = Extract<DigestLookup['answers'][number], { seen: false }>
type Hint = Unseen['hints'][number]

/** Not seen, with the likely reasons from real numbers and where to look next. */
export function UnseenDigest({ answer }: { readonly answer: Unseen }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <DigestChip digest={answer.digest} />
        <h2 className="text-14 font-strong">Not seen</h2>
        <span className="text-12 text-ink-3">in the projects you can see</span>
      </div>
      <dl className="mt-4 grid max-w-[100ch] grid-cols-[96px_minmax(0,1fr)] gap-x-4 gap-y-2 text-13 max-phone:grid-cols-1">
        {answer.hints.map((hint, index) => (
          <div key={`${hint.organisation} ${hint.project} ${hint.kind}`} className="contents">
            <dt className="text-ink-3">{index === 0 ? 'Most likely' : 'Or'}</dt>
            <dd className="foreign">
              {hint.text} <NextStep hint={hint} />
            </dd>
          </div>
        ))}
        <dt className="text-ink-3">Next step</dt>
        <dd className="text-ink-2">
          Check that you copied the whole number. If the app doesn’t report to Errata, only its server log has
          the error. <DocsLink to="digests" />
        </dd>
      </dl>
      <NextTime platform={answer.hints[0]?.platform ?? null} />
    </>
  )
}

/** Advice for an app whose events lack the number. */
export function NextTime({ platform }: { readonly platform: string | null }) {
  const { why, snippet } = referenceLines(platform)
  return (
    <section aria-label="To find it next time" className="mt-6 max-w-[80ch]">
      <h3 className="text-13 font-strong">To find it next time</h3>
      <p className="mt-1 text-13 text-ink-2">{why}</p>
      <div className="mt-2 overflow-hidden rounded-field border">
        <SnippetBox snippet={snippet} />
      </div>
    </section>
  )
}

function NextStep({ hint }: { readonly hint: Hint }) {
  const { organisation, project, kind } = hint
  if (kind === 'not_stored') {
    return (
      <PageLink className="link link-text" to={paths.outcomes(organisation, { project })}>
        See outcomes
      </PageLink>
    )
  }
  if (project === null) return null
  return (
    <PageLink className="link link-text" to={paths.firstEvent(organisation, project)}>
      {kind === 'no_events' ? 'Connect it' : `Check the SDK of “${project}”`}
    </PageLink>
  )
}
