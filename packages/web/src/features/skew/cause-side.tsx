/** Why tabs of old builds failed, and what keeps them working. */
import { paths } from '#parts/paths.ts'
import { SnippetBox } from '#parts/snippet-box.tsx'
import { quantityText } from '#ui/number-text.ts'
import { SideSection } from '#ui/section.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { type Advice, adviceFor, FRAMEWORK_NAMES, FRAMEWORKS, NOTICE, reasonFor } from './advice.ts'
import type { SkewData } from './skew.server.ts'
import { skewQuery } from './skew-address.ts'
import { buildsText, type DeployDetail, longText } from './skew-text.ts'

type Cause = DeployDetail['causes'][number]

export function CauseSide({ data, deploy }: { readonly data: SkewData; readonly deploy: DeployDetail }) {
  const { framework, org, address } = data
  return (
    <aside aria-label="Causes" className="min-w-0 border-t wide:border-t-0">
      {deploy.causes.map((cause, at) => (
        <CauseSection key={cause.name} cause={cause} number={at + 1} data={data} deploy={deploy} />
      ))}
      <SideSection title={deploy.causes.length === 0 ? 'Keep tabs up to date' : 'Or reload outdated tabs'}>
        <Remedy advice={NOTICE[framework]} />
        <nav aria-label="Framework" className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-12">
          {FRAMEWORKS.map((one) => (
            <PageLink
              key={one}
              to={paths.skew(org, skewQuery(address, { framework: one, deploy: deploy.id, release: null }))}
              className={`max-phone:py-3.5 ${one === framework ? 'font-strong' : 'text-ink-2 hover:text-ink'}`}
              aria-current={one === framework ? 'true' : undefined}
            >
              {FRAMEWORK_NAMES[one]}
            </PageLink>
          ))}
        </nav>
      </SideSection>
      <SideSection title="Not counted">
        <p className="text-12 text-ink-3">
          {deploy.crawled === 0
            ? 'Files that crawlers ask for'
            : `${quantityText(deploy.crawled, 'missing file')} that crawlers asked for`}
          , files that no build contains, and automatic reloads by the framework.
        </p>
      </SideSection>
    </aside>
  )
}

function CauseSection(props: {
  readonly cause: Cause
  readonly number: number
  readonly data: SkewData
  readonly deploy: DeployDetail
}) {
  const { cause, number, data, deploy } = props
  const { title, text } = reasonFor(cause.name, data.framework)
  const advice = adviceFor(cause.name, data.framework)
  return (
    <SideSection title={`Cause ${number}`} note={quantityText(cause.count, 'click')}>
      <h3 className="text-15 font-strong">{title}</h3>
      <p className="mt-1 text-13 text-ink-2">
        {text} {evidence(cause, deploy)}
      </p>
      {advice === null ? null : (
        <div className="mt-3">
          <h4 className="mb-1.5 text-12 font-strong">{advice.title}</h4>
          <Remedy advice={advice} />
        </div>
      )}
    </SideSection>
  )
}

function evidence({ name, firstMs }: Cause, deploy: DeployDetail): string {
  const after = firstMs - deploy.atMs
  const since = after < 60_000 ? 'at once' : `${longText(after)} after the deploy`
  if (name === 'assets') return `The first failed ${since}.`
  if (name === 'key') return ''
  const builds = buildsText(deploy.fromReleases)
  return builds === null ? `The first failed ${since}.` : `They ran ${builds}.`
}

function Remedy({ advice }: { readonly advice: Advice }) {
  return (
    <>
      <div className="overflow-hidden rounded-field border">
        <SnippetBox snippet={{ file: advice.file, text: advice.code }} />
      </div>
      <p className="mt-1.5 text-12 text-ink-3">{advice.note}</p>
    </>
  )
}
