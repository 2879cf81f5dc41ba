/** Uploads of build tools for a release, and whether they resolved a frame yet. */
import { BundleLastUsed, BundleMaps } from '#parts/bundle-cells.tsx'
import { paths } from '#parts/paths.ts'
import { bytesText, numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadReleaseArtifacts } from './release.server.ts'

type Bundle = Awaited<ReturnType<typeof loadReleaseArtifacts>>['bundles'][number]

export function ReleaseArtifacts() {
  const { org, view, bundles } = usePageData<typeof loadReleaseArtifacts>()
  const { uploads: sum } = view
  const { projects, version, ofAll } = view.release
  return (
    <Section
      title="Artifacts"
      id="artifacts"
      note={
        sum === null
          ? undefined
          : `${quantityText(sum.bundles, 'bundle')}, ${quantityText(sum.files, 'file')}, ${bytesText(sum.bytes)}`
      }
      end={projects.map(({ slug, name }) => (
        <PageLink
          key={slug}
          to={paths.projectSourceMaps(org, slug, { query: sum === null ? null : version })}
          className="link link-alone text-12"
        >
          Source maps{ofAll.count > 1 ? ` of ${name}` : ''}
        </PageLink>
      ))}
    >
      {bundles.length === 0 ? (
        <p className="text-13 text-ink-3">
          Nothing was uploaded for this release. Source maps uploaded without a release are matched by debug
          ID and listed in the project’s settings.
        </p>
      ) : (
        <>
          <BundleTable bundles={bundles} />
          {bundles.length < (sum?.bundles ?? 0) ? (
            <p className="mt-2 text-12 text-ink-3">The newest {numberText(bundles.length)} are shown.</p>
          ) : null}
        </>
      )}
    </Section>
  )
}

function BundleTable({ bundles }: { readonly bundles: readonly Bundle[] }) {
  return (
    <Table caption="Artifact bundles, newest first" stacks="columns" className="[--stack-columns:4]">
      <thead>
        <tr>
          <th scope="col">Maps</th>
          <th scope="col" className={tableNum}>
            Files
          </th>
          <th scope="col" className={tableNum}>
            Size
          </th>
          <th scope="col">Uploaded</th>
          <th scope="col">Last used</th>
        </tr>
      </thead>
      <tbody>
        {bundles.map((bundle) => (
          <tr key={bundle.id}>
            <td className="align-top">
              <BundleMaps bundle={bundle} />
              {bundle.dist === null ? null : (
                <span className="foreign block text-12 text-ink-3">dist {bundle.dist}</span>
              )}
            </td>
            <td className={`${tableNum} align-top`}>{numberText(bundle.fileCount)}</td>
            <td className={`${tableNum} align-top`}>{bytesText(bundle.bytes)}</td>
            <td className="align-top">
              <Time ms={bundle.uploadedMs} />
              <span className="foreign block text-12 text-ink-3">{bundle.uploadedBy}</span>
            </td>
            <td className="align-top whitespace-nowrap">
              <BundleLastUsed bundle={bundle} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
