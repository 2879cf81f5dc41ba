import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { buttonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { bytesText, numberText } from '#ui/number-text.ts'
import { Segmented } from '#ui/segmented.tsx'
import { visibleText } from '#ui/visible-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadAgents } from './agents.server.ts'
import { orgSettingsPaths } from './paths.ts'

const READERS = [
  { reader: 'report', name: 'Bug report' },
  { reader: 'agent', name: 'Coding agent' },
] as const

/** About what models make of English and code. */
const BYTES_PER_TOKEN = 4

/** An issue of the organisation as the text that people copy and agents read, byte by byte. */
export function MarkdownPreview() {
  const { org, sample } = usePageData<typeof loadAgents>()
  return (
    <section
      aria-label="Copy as Markdown"
      className="border-t py-5 wide:border-s wide:border-t-0 wide:py-0 wide:ps-6"
    >
      <div className="mb-3 flex min-h-7 flex-wrap items-center gap-x-2 gap-y-2">
        <h2 className="text-13 font-strong">Copy as Markdown</h2>
        {sample === null ? null : (
          <PageLink
            to={paths.issue(org, sample.shortId)}
            className="link touch inline-flex items-center text-12"
          >
            {sample.shortId}
          </PageLink>
        )}
        <div className="ms-auto">
          <Readers />
        </div>
      </div>
      <Readable part="sample" what="This example">
        {sample === null ? (
          <p className="text-13 text-ink-2">No unresolved issue in the last 90 days to show here.</p>
        ) : (
          <Text shortId={sample.shortId} markdown={sample.markdown} />
        )}
      </Readable>
    </section>
  )
}

function Readers() {
  const { org, reader: chosen, sample } = usePageData<typeof loadAgents>()
  const issue = sample?.shortId
  return (
    <Segmented label="Written for">
      {READERS.map(({ reader, name }) => (
        <PageLink
          key={reader}
          to={orgSettingsPaths.agents(org, { for: reader === 'agent' ? null : reader, issue })}
          replace
          preventScrollReset
          aria-current={reader === chosen ? 'true' : undefined}
        >
          {name}
        </PageLink>
      ))}
    </Segmented>
  )
}

function Text({ shortId, markdown }: { readonly shortId: string; readonly markdown: string }) {
  const { reader } = usePageData<typeof loadAgents>()
  const bytes = new TextEncoder().encode(markdown).length
  return (
    <>
      <figure className="overflow-hidden rounded-field border bg-sunken">
        <figcaption className="copy-row flex min-h-8 items-center justify-between border-b px-4 text-12 text-ink-2">
          <span>
            {bytesText(bytes)}, ≈ {numberText(Math.ceil(bytes / BYTES_PER_TOKEN))} tokens
          </span>
          <CopyButton text={markdown} name={`Copy ${shortId} as Markdown`} />
        </figcaption>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
        <pre className="max-h-224 overflow-auto p-4 text-12 leading-5" tabIndex={0}>
          <code className="foreign-line">{shownText(markdown)}</code>
        </pre>
      </figure>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <a
          className={buttonClass('plain')}
          href={`data:text/markdown;charset=utf-8,${encodeURIComponent(markdown.toWellFormed())}`}
          download={`${shortId}.md`}
        >
          Download .md
        </a>
        <span className="text-12 text-ink-3">
          {reader === 'agent'
            ? 'The text that issue_markdown returns and Copy as Markdown copies.'
            : 'The text that Copy as Markdown copies.'}
        </span>
      </div>
    </>
  )
}

/** HTML knows no other end of a line than `\n`. */
function shownText(markdown: string): string {
  return visibleText(markdown).replaceAll(/\r\n?/g, '\n')
}
