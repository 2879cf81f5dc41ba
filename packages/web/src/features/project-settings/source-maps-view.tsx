/** Source maps of a project: what was missed and why, what was uploaded, and a check of one look-up. */
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { numberText, quantityText, shareText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { BundleSection } from './bundle-section.tsx'
import { CodeMappings } from './code-mappings.tsx'
import { LookUpSection } from './look-up-section.tsx'
import { ProjectSettingsPage } from './settings-page.tsx'
import type { loadSourceMaps } from './source-maps.server.ts'
import { UploadHelp } from './upload-help.tsx'

export function SourceMapsView() {
  const { org, project } = usePageData<typeof loadSourceMaps>()
  return (
    <ProjectSettingsPage org={org} project={project} title="Source maps" wide>
      <div className="wide:grid wide:grid-cols-[minmax(0,1fr)_380px] wide:gap-x-6 [&>*>section:first-child]:border-t-0">
        <div className="min-w-0">
          <Readable part="missed" what="Frames that weren’t resolved">
            <MissedSection />
          </Readable>
        </div>
        <div className="min-w-0 max-wide:border-t wide:border-s wide:ps-5">
          <Readable part="check" what="This lookup">
            <LookUpSection />
          </Readable>
          <UploadHelp />
        </div>
      </div>
      <BundleSection />
      <FailedUploads />
      <CodeMappings />
    </ProjectSettingsPage>
  )
}

function MissedSection() {
  const { missed } = usePageData<typeof loadSourceMaps>()
  const { events, causes } = missed
  const most = causes.reduce((top, { count }) => Math.max(top, count), 0)
  return (
    <Section title="Not resolved, by cause" note="Last 24 h">
      <p className="mb-3 text-15 text-ink-2">
        <ShareOfFrames missed={missed} />
      </p>
      {events === 0 ? null : (
        <>
          <Table caption="Why frames weren’t resolved" stacks>
            <thead>
              <tr>
                <th>Cause</th>
                <th className={tableNum}>Events</th>
                <th>
                  <span className="visually-hidden">Share</span>
                </th>
                <th>For example</th>
                <th>Next step</th>
              </tr>
            </thead>
            <tbody>
              {causes.map((cause) => (
                <CauseRow key={cause.why} cause={cause} most={most} />
              ))}
            </tbody>
          </Table>
          <p className="mt-2 max-w-160 text-12 text-ink-3">
            An event counts once for each build file it missed. Pages and third-party scripts need no map and
            aren’t counted.
          </p>
        </>
      )}
    </Section>
  )
}

type Missed = Awaited<ReturnType<typeof loadSourceMaps>>['missed']
type Cause = Missed['causes'][number]

/** How much of what needed a map is read: events of before it was counted say only that they missed some. */
function ShareOfFrames({ missed }: { readonly missed: Missed }) {
  const { events, foundSince, frames } = missed
  const since =
    foundSince === 0 ? '' : ` The maps of ${quantityText(foundSince, 'event')} have been uploaded since.`
  const unread = frames.needed - frames.resolved
  if (frames.needed > 0 && unread === 0 && events === 0)
    return (
      <>
        <Strong text="All" /> frames that needed a source map were resolved,{' '}
        <Strong text={numberText(frames.needed)} /> in the last 24 hours.
      </>
    )
  if (frames.needed > 0)
    return (
      <>
        <Strong text={shareText(frames.resolved, frames.needed)} /> of the frames that needed a source map
        were resolved on arrival. <Strong text={numberText(unread)} /> of {numberText(frames.needed)} weren’t,
        in {quantityText(frames.events, 'event')}.{since}
      </>
    )
  if (events === 0) return 'No frame needed a source map in the last 24 hours.'
  return (
    <>
      <Strong text={quantityText(events, 'event')} /> {events === 1 ? 'has' : 'have'} frames that weren’t
      resolved when {events === 1 ? 'it' : 'they'} came.{since}
    </>
  )
}

function Strong({ text }: { readonly text: string }) {
  return <b className="num font-strong text-ink">{text}</b>
}

function CauseRow({ cause, most }: { readonly cause: Cause; readonly most: number }) {
  const { org, project } = usePageData<typeof loadSourceMaps>()
  const { title, count, example, next } = cause
  return (
    <tr className={count === 0 ? 'text-ink-3 max-phone:hidden!' : undefined}>
      <td className="align-top">{title}</td>
      <td className={`stack-end ${tableNum} align-top`}>{numberText(count)}</td>
      <td className="stack-none align-top">
        {count === 0 ? null : <ShareBar part={count} whole={most} width={64} withText={false} />}
      </td>
      <td className="stack-line max-w-56 align-top">
        {example === null ? null : (
          <PageLink
            className="link link-alone"
            to={paths.projectSourceMaps(org, project.slug, { check: example.eventId })}
          >
            <code className="foreign">{fileName(example.file)}</code>
          </PageLink>
        )}
        {example?.release == null ? null : (
          <span className="foreign block text-12 text-ink-3">{example.release}</span>
        )}
      </td>
      <td className="stack-line max-w-72 align-top text-12 text-ink-2">{count === 0 ? null : next}</td>
    </tr>
  )
}

/** A file's own name: of a debug id alone there is none. */
function fileName(file: string): string {
  return (
    file
      .replace(/[?#].*$/, '')
      .split(/[\\/]/)
      .at(-1) || 'an event'
  )
}

/** Nothing where none failed: the tools end without an error, so they are shown here. */
function FailedUploads() {
  const { failures } = usePageData<typeof loadSourceMaps>()
  if (failures.length === 0) return null
  return (
    <Section title="Failed uploads" note="Build tools may not report these">
      <Table caption="Failed uploads, newest first" stacks>
        <thead>
          <tr>
            <th>When</th>
            <th>What</th>
            <th>Why</th>
            <th>By</th>
          </tr>
        </thead>
        <tbody>
          {failures.map((failure) => (
            <tr key={failure.id}>
              <td className="align-top whitespace-nowrap">
                <Time ms={failure.atMs} />
              </td>
              <td className="align-top">
                {failure.what}
                {failure.release === null ? null : (
                  <span className="foreign block text-12 text-ink-3">{failure.release}</span>
                )}
              </td>
              <td className="foreign stack-line align-top">{failure.reason}</td>
              <td className="foreign align-top" data-label="By">
                {failure.by}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}
