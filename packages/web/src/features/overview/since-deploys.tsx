import { crashFreeText } from '#parts/crash-free.ts'
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { packageOf, versionOf } from '#parts/release-text.ts'
import { numberText, shareText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { spanText } from '#ui/time-text.ts'
import { useUnread } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { OverviewData } from './overview.server.ts'

type Row = OverviewData['releases'][number]

/** The newest releases: what came with each, and each against the one before at the same age. */
export function SinceDeploys({ data }: { readonly data: OverviewData }) {
  const { org } = data
  const releases = data.releases
  const isRead = useUnread('releases') === null
  if (isRead && releases.length === 0) return null
  return (
    <Section
      title="Latest releases"
      note={
        releases.some(({ compared }) => compared !== null)
          ? 'each compared with the previous one at the same age'
          : undefined
      }
      end={
        <PageLink to={paths.releases(org)} className="link text-12">
          All releases
        </PageLink>
      }
    >
      <Readable part="releases" what="The releases">
        <div className="grid gap-x-8 gap-y-5 phone:grid-cols-[repeat(auto-fit,minmax(220px,1fr))]">
          {releases.map((row) => (
            <Release key={row.version} row={row} org={org} />
          ))}
        </div>
      </Readable>
    </Section>
  )
}

function Release({ row, org }: { readonly row: Row; readonly org: string }) {
  const { version, newIssues, regressed, resolved, adoption, crashFree, compared } = row
  const issues = [
    newIssues > 0 ? `${numberText(newIssues)} new` : '',
    regressed > 0 ? `${numberText(regressed)} regressed` : '',
    resolved > 0 ? `${numberText(resolved)} resolved` : '',
  ].filter((part) => part !== '')
  return (
    <div className="min-w-0 text-13">
      <div className="truncate">
        <PageLink to={paths.release(org, version)} className="link foreign font-strong" title={version}>
          {versionOf(version)}
        </PageLink>{' '}
        <span className="foreign text-12 text-ink-2">{packageOf(version)}</span>
      </div>
      <div className="text-12 text-ink-3">
        <Time ms={row.atMs} />
        {adoption === null ? '' : `, on ${shareText(adoption, 1)} of sessions`}
      </div>
      <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        <Fact
          name="Issues"
          value={issues.length === 0 ? 'none new' : issues.join(', ')}
          to={paths.release(org, version)}
          isBad={regressed > 0}
        />
        {crashFree === null ? null : (
          <Fact
            name="Crash-free sessions"
            value={crashFreeText(crashFree)}
            to={paths.release(org, version)}
          />
        )}
        {compared === null ? null : (
          <>
            <Fact
              name="Failed requests"
              value={`${shareText(compared.own.failed, Math.max(1, compared.own.count))}, ${shareText(compared.ofBefore.failed, Math.max(1, compared.ofBefore.count))} before`}
              to={paths.releaseSlower(org, version)}
            />
            <Fact
              name="Routes that got worse"
              value={numberText(compared.worse)}
              isBad={compared.worse > 0}
              to={paths.releaseSlower(org, version)}
            />
          </>
        )}
      </dl>
      {compared === null ? null : (
        <div className="mt-1 text-12 text-ink-3">
          Against <span className="foreign">{versionOf(compared.before)}</span>, both at{' '}
          {spanText(compared.ageMs)}
        </div>
      )}
    </div>
  )
}

function Fact(props: {
  readonly name: string
  readonly value: string
  readonly isBad?: boolean
  readonly to?: string
}) {
  const tone = props.isBad === true ? 'font-strong text-bad' : ''
  return (
    <>
      <dt className="text-ink-2">{props.name}</dt>
      <dd className={`num text-end ${tone}`}>
        {props.to === undefined ? (
          props.value
        ) : (
          <PageLink to={props.to} className="hover:underline">
            {props.value}
          </PageLink>
        )}
      </dd>
    </>
  )
}
