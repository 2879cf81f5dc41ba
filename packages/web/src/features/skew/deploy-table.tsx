/** Every deploy with stale clicks. */

import { paths } from '#parts/paths.ts'
import { rangeOf } from '#parts/ranges.ts'
import { Isolated } from '#ui/isolated.tsx'
import { numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { deployName } from './filters.tsx'
import type { SkewData } from './skew.server.ts'
import { skewQuery } from './skew-address.ts'
import { causesText, type DeployRow, deploysHead, longText } from './skew-text.ts'

export function DeployTable({ data }: { readonly data: SkewData }) {
  const { deploys, address, deploysMax } = data
  const most = Math.max(1, ...deploys.map(({ count }) => count))
  const isMany = new Set(deploys.flatMap(({ projects }) => projects.map(({ id }) => id))).size > 1
  return (
    <Section {...deploysHead(rangeOf(address.range).short, deploys.length, deploysMax)}>
      <Table caption="Deploys with stale clicks" stacks="columns" className="[--stack-columns:4]">
        <thead>
          <tr>
            <th scope="col">Deploy</th>
            <th scope="col">When</th>
            <th scope="col" className={tableNum}>
              Failed clicks
            </th>
            <th scope="col" className={tableNum}>
              Users
            </th>
            <th scope="col" className={tableNum}>
              Half-life
            </th>
            <th scope="col" className="stack-none">
              <span className="visually-hidden">Compared</span>
            </th>
            <th scope="col" className="stack-line">
              Cause
            </th>
          </tr>
        </thead>
        <tbody>
          {deploys.map((deploy) => (
            <Row key={deploy.id} data={data} deploy={deploy} most={most} isMany={isMany} />
          ))}
        </tbody>
      </Table>
    </Section>
  )
}

function Row(props: {
  readonly data: SkewData
  readonly deploy: DeployRow
  readonly most: number
  readonly isMany: boolean
}) {
  const { data, deploy, most } = props
  const { count, users, halfLifeMs, causes, projects, environment } = deploy
  const isChosen = deploy.id === data.deploy?.id
  const to = paths.skew(data.org, skewQuery(data.address, { deploy: deploy.id, release: null }))
  const names = props.isMany ? projects.map(({ name }) => name) : []
  return (
    <tr aria-current={isChosen ? 'true' : undefined}>
      <th scope="row" className="text-start whitespace-normal">
        <PageLink
          to={to}
          className={`foreign whitespace-nowrap ${isChosen ? 'font-strong hover:underline' : 'link link-alone font-medium'}`}
        >
          {deployName(deploy)}
        </PageLink>
        {names.length === 0 && environment === '' ? null : (
          <span className="foreign ms-2 text-12 font-normal text-ink-3">
            <Isolated texts={names} />
            {names.length === 0 || environment === '' ? '' : ' · '}
            {environment}
          </span>
        )}
      </th>
      <td className="whitespace-nowrap">
        <Time ms={deploy.atMs} />
        {deploy.isTold ? null : <span className="text-12 text-ink-3"> first seen</span>}
      </td>
      <td className={tableNum} data-label="Failed clicks">
        <span className={count === 0 ? 'text-ink-3' : 'font-strong'}>{numberText(count)}</span>
      </td>
      <td className={tableNum} data-label="Users">
        {users.isExact ? '' : '≈ '}
        {numberText(users.count)}
      </td>
      <td className={tableNum} data-label="Half-life">
        {halfLifeMs === null ? <span className="text-ink-3">–</span> : longText(halfLifeMs)}
      </td>
      <td className="stack-none">
        <ShareBar part={count} whole={most} width={72} withText={false} />
      </td>
      <td className="stack-line min-w-28 whitespace-normal">
        {causes.length === 0 ? 'Reloads only' : causesText(causes)}
      </td>
    </tr>
  )
}
