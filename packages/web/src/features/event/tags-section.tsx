import { paths } from '#parts/paths.ts'
import { valueTerm } from '#parts/search-token.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { Scrubbed } from './scrubbed.tsx'
import type { TagSharesData as Shares, TagShare } from './tag-shares.ts'

function filterLink(org: string, key: string, value: string): string {
  return paths.issues(org, { query: valueTerm({ key, value, negated: false }), tab: 'all' })
}

/** The tags of the shown event; each is a filter of the issue list, but for the release, which has a page. */
export function EventTags(props: {
  readonly org: string
  readonly tags: readonly (readonly [string, string])[]
}) {
  return (
    <ul className="flex flex-wrap gap-1.5 text-12">
      {props.tags.map(([key, value], index) => (
        <li key={`${key} ${value}`} className="max-w-full">
          <PageLink
            to={key === 'release' ? paths.release(props.org, value) : filterLink(props.org, key, value)}
            className="flex max-w-full items-center rounded-mark border border-line-2 hover:border-control max-phone:min-h-11"
          >
            <span className="foreign max-w-48 shrink-0 truncate bg-sunken px-1.5 py-0.5 text-ink-3">
              {key}
            </span>
            <span className="foreign min-w-0 truncate px-1.5 py-0.5" title={value}>
              <Scrubbed text={value} path={`tags.${index}`} />
            </span>
          </PageLink>
        </li>
      ))}
    </ul>
  )
}

/** How the values are spread over all events of the issue: the first keys stand there, the others open by hand. */
export function TagShares({
  org,
  shares: { spread: shown, same, doubled, bounds },
}: {
  readonly org: string
  readonly shares: Shares & { readonly bounds: string | null }
}) {
  if (shown.length + same.length === 0) return null
  const more = shown.slice(KEYS_OPEN)
  return (
    <Section
      title="Tags of all events"
      note={shown.length < 2 ? undefined : 'those that differ most from the project’s other events first'}
    >
      {shown.length === 0 ? null : <Keys org={org} tags={shown.slice(0, KEYS_OPEN)} />}
      {more.length === 0 ? null : (
        <details className="group/tags mt-3">
          <summary className="link inline-flex items-center text-12 max-phone:min-h-11">
            <span className="group-open/tags:hidden">Show {quantityText(more.length, 'more tag')}</span>
            <span className="hidden group-open/tags:inline">Show fewer tags</span>
          </summary>
          <div className="pt-4">
            <Keys org={org} tags={more} />
          </div>
        </details>
      )}
      <Folded {...{ org, same, doubled }} hasAbove={shown.length > 0} />
      {bounds === null ? null : <p className="mt-4 max-w-[90ch] text-12 text-ink-3">{bounds}</p>}
    </Section>
  )
}

const KEYS_OPEN = 4
const SAME_SHOWN = 4

/** Folds tags that every event has, and keys that repeat another. */
function Folded({
  org,
  hasAbove,
  same,
  doubled,
}: { readonly org: string; readonly hasAbove: boolean } & Pick<Shares, 'same' | 'doubled'>) {
  if (same.length + doubled.length === 0) return null
  const first = same.slice(0, SAME_SHOWN).map(({ key, value }) => `${key} ${value}`)
  const beyond = same.length - first.length + doubled.length
  return (
    <details className={`text-12 ${hasAbove ? 'mt-4' : ''}`}>
      <summary className="foreign flex min-h-8 items-center gap-1 text-ink-2 max-phone:min-h-11">
        <span className="min-w-0 truncate" title={first.join(', ')}>
          <span className="text-ink-3">{same.length === 0 ? 'Duplicate tags' : 'Same in every event:'}</span>{' '}
          {first.join(', ')}
        </span>
        {beyond === 0 ? null : <span className="shrink-0 text-ink-3">+{numberText(beyond)}</span>}
      </summary>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 pt-2">
        {same.map(({ key, value }) => (
          <div key={key} className="contents">
            <dt className="foreign text-ink-3">{key}</dt>
            <dd className="min-w-0">
              <PageLink to={filterLink(org, key, value)} className="foreign hover:underline">
                <Scrubbed text={value === '' ? '(empty)' : value} path={`tags.${key}`} />
              </PageLink>
            </dd>
          </div>
        ))}
        {doubled.map(({ key, as }) => (
          <div key={key} className="contents">
            <dt className="foreign text-ink-3">{key}</dt>
            <dd className="foreign text-ink-3">as {as}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Keys({ org, tags }: { readonly org: string; readonly tags: readonly TagShare[] }) {
  return (
    <div className="grid gap-x-6 gap-y-5 phone:grid-cols-2 min-[90rem]:grid-cols-4">
      {tags.map((tag) => (
        <div key={tag.key} className="min-w-0">
          <h3 className="foreign border-b pb-1 text-12 font-normal text-ink-3">{tag.key}</h3>
          <ul className="mt-1.5 grid gap-1 text-13 max-phone:mt-0 max-phone:gap-0">
            {tag.values.map(({ value, count }) => (
              <li key={value} className="flex min-w-0 items-center gap-2">
                <PageLink
                  to={filterLink(org, tag.key, value)}
                  title={`${value}: ${numberText(count)} events`}
                  className="foreign min-w-0 flex-1 truncate hover:underline max-phone:leading-11"
                >
                  <Scrubbed text={value === '' ? '(empty)' : value} path={`tags.${tag.key}`} />
                </PageLink>
                <ShareBar part={count} whole={tag.total} />
              </li>
            ))}
            <Rest
              label={quantityText(tag.more.values, 'more value')}
              part={tag.more.events}
              whole={tag.total}
            />
            <Rest label="other" part={tag.otherCount} whole={tag.total} />
          </ul>
        </div>
      ))}
    </div>
  )
}

function Rest(props: { readonly label: string; readonly part: number; readonly whole: number }) {
  if (props.part <= 0) return null
  return (
    <li className="flex items-center gap-2 text-ink-3">
      <span className="min-w-0 flex-1">{props.label}</span>
      <ShareBar part={props.part} whole={props.whole} />
    </li>
  )
}
