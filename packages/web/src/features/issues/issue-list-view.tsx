/** The issue list: filters, tabs, rows, footer. Filter, sort, tab and page live in the URL. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useCan } from '#parts/frame-data.ts'
import type { IssueListRow } from '#parts/issue-types.ts'
import { listQuery, listText } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { useShortcuts } from '#parts/shortcuts.tsx'
import { type IssueChange, useIssueChange } from '#parts/use-issue-change.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { Icon } from '#ui/icons.tsx'
import { quantityText } from '#ui/number-text.ts'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation, useNavigate, useNavigation } from '#wire/router.ts'
import { BULK_ARCHIVE_ID, BulkBar } from './bulk-bar.tsx'
import { ListFilters } from './filter-bar.tsx'
import type { IssueListData, loadIssueList } from './issue-list.server.ts'
import { IssueRow } from './issue-row.tsx'
import { ListFooter } from './list-footer.tsx'
import { ListHead } from './list-head.tsx'
import { ListTabs, SortMenu } from './list-tabs.tsx'
import { NewCount } from './new-count.tsx'
import { issuesPaths } from './paths.ts'
import { type RowSelection, useSelection } from './use-selection.ts'

/** Most lists have rows, and most rows are not deleted: what they need otherwise loads then. */
const ListEmpty = lazy(async () => ({ default: (await import('./list-empty.tsx')).ListEmpty }))
const SavedSearches = lazy(async () => ({ default: (await import('./own-list.tsx')).SavedSearches }))
const OpenSearch = lazy(async () => ({ default: (await import('./own-list.tsx')).OpenSearch }))
const ViewMenu = lazy(async () => ({ default: (await import('./own-list.tsx')).ViewMenu }))
const TeamMenu = lazy(async () => ({ default: (await import('./own-list.tsx')).TeamMenu }))
const BulkMergeDialog = lazy(async () => ({
  default: (await import('./bulk-merge-dialog.tsx')).BulkMergeDialog,
}))
const BulkDeleteDialog = lazy(async () => ({
  default: (await import('./bulk-delete-dialog.tsx')).BulkDeleteDialog,
}))

export function IssueListView({ above }: { readonly above?: ReactNode }) {
  const data = usePageData<typeof loadIssueList>()
  const { org, address, list } = data
  const tools = (
    <>
      <SortMenu org={org} address={address} />
      <Suspense fallback={null}>
        <TimelineSwitch data={data} />
        <TeamMenu data={data} />
        <ViewMenu preferences={data.preferences} />
      </Suspense>
    </>
  )
  return (
    <>
      <title>{`Issues · ${org} · Errata`}</title>
      <h1 className="visually-hidden">Issues</h1>
      <Suspense fallback={data.searches.length === 0 ? null : <div className="h-11 max-phone:h-14" />}>
        <SavedSearches data={data} />
      </Suspense>
      <ListFilters
        org={org}
        address={address}
        range={data.range}
        projects={data.projects}
        environments={list.environments}
        others={data.others}
        tokens={list.tokens}
        isPlain={list.isPlain}
        hasDefault={data.preferences.defaultSearch !== null}
        problems={list.problems}
        unknownTags={list.unknownTags}
        offers={list.offers}
        tools={tools}
      />
      <ListTabs
        org={org}
        address={address}
        namesState={list.namesState}
        counts={list.tabs}
        news={<NewCount data={data} />}
        tools={
          <>
            <div className="beside-rail">
              <Suspense fallback={null}>
                <OpenSearch data={data} />
              </Suspense>
            </div>
            {tools}
          </>
        }
      />
      {above}
      <div className="relative min-h-40">
        <Readable part="issues" what="These issues" range={address.range}>
          {list.rows.length === 0 ? (
            <Suspense fallback={null}>
              <ListEmpty data={data} />
            </Suspense>
          ) : (
            <Rows data={data} />
          )}
        </Readable>
        <Loading rows={list.rows.length} />
      </div>
    </>
  )
}

/** The matrix above the list, and away again, with the same list below. */
function TimelineSwitch({ data }: { readonly data: IssueListData }) {
  const { pathname } = useLocation()
  const query = listQuery(data.address)
  const isOn = pathname.endsWith('/timeline')
  return (
    <PageLink
      to={isOn ? paths.issues(data.org, query) : issuesPaths.issueTimeline(data.org, query)}
      className="btn btn-quiet btn-small touch"
      aria-current={isOn ? 'true' : undefined}
    >
      <Icon name="clock" size={14} />
      {isOn ? 'Hide timeline' : 'Timeline'}
    </PageLink>
  )
}

/** While another filter, tab or page of this list loads: rows in the true layout, after 150 ms. */
function Loading({ rows }: { readonly rows: number }) {
  const { pathname } = useLocation()
  const { location } = useNavigation()
  if (location === undefined || location.pathname !== pathname) return null
  return (
    <div className="absolute inset-x-0 top-9 bottom-0 max-phone:top-0">
      <SkeletonRows rows={Math.max(3, rows)} label="Loading issues" />
    </div>
  )
}

function Rows({ data }: { readonly data: IssueListData }) {
  const { org, address, list } = data
  const canWrite = useCan('issue.write')
  const canDelete = useCan('issue.delete')
  const toast = useToast()
  const [cursor, setCursor] = useState(-1)
  const change = useIssueChange()
  const selection = useSelection(list.rows.map((row) => row.shortId))
  const selected = list.rows.filter((row) => selection.refs.has(row.shortId))
  const selectAll = () => selection.setAll(list.rows.map((row) => row.shortId))
  const told = (result: unknown) => {
    selection.clear()
    change.tell(result)
  }
  useListKeys({ data, cursor, selection, change, canWrite })
  return (
    <>
      <ListForm onResult={told}>
        <table
          className="issue-list w-full table-fixed border-collapse max-phone:block"
          data-density={data.preferences.density}
          data-hidden={data.preferences.hiddenColumns.join(' ')}
        >
          <caption className="visually-hidden">{quantityText(list.total, 'issue')}</caption>
          <ListHead
            org={org}
            address={address}
            range={data.range}
            check={
              <Checkbox
                label="Select all issues on this page"
                checked={selected.length === list.rows.length}
                some={selected.length > 0 && selected.length < list.rows.length}
                disabled={!canWrite}
                onChange={(event) => (event.target.checked ? selectAll() : selection.clear())}
              />
            }
            bulk={
              <BulkBar
                selected={selected}
                shown={list.rows.length}
                tab={address.tab}
                org={org}
                choices={data.assignees}
                pending={change.pending}
                canDelete={canDelete}
                onSelectAll={selectAll}
                onClear={selection.clear}
                all={{
                  ...{ total: list.total, most: data.changeMost },
                  ...{ list: listText(address), isChosen: selection.isAll },
                }}
                onSelectMatching={selection.setIsAll}
              />
            }
          />
          <tbody className="max-phone:block">
            {list.rows.map((row, index) => (
              <IssueRow
                key={row.id}
                org={org}
                row={row}
                list={listText(address)}
                isCursor={index === cursor}
                isSelected={selection.refs.has(row.shortId)}
                canSelect={canWrite}
                onSelect={(on) => selection.set(row.shortId, on)}
                onFocus={() => setCursor(index)}
              />
            ))}
          </tbody>
        </table>
      </ListForm>
      <ListFooter data={data} />
      {canWrite && selected.length > 0 ? (
        <Suspense fallback={null}>
          <BulkMergeDialog selected={selected} reasonCharsMax={data.reasonCharsMax} onResult={told} />
        </Suspense>
      ) : null}
      {canDelete && selected.length > 0 ? (
        <Suspense fallback={null}>
          <BulkDeleteDialog
            selected={selected}
            onDone={(count) => {
              selection.clear()
              toast({ text: `${quantityText(count, 'issue')} deleted` })
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** The form around the rows: the ticked boxes are its fields, the bulk bar's buttons send it. */
function ListForm(props: { readonly onResult: (result: unknown) => void; readonly children: ReactNode }) {
  return (
    <ActionForm action="issue.change" onResult={props.onResult} className="group/list">
      {({ error }) => (
        <>
          {error === null ? null : (
            <p role="alert" className="px-6 py-2 text-13 text-bad">
              {error.message}
            </p>
          )}
          {props.children}
        </>
      )}
    </ActionForm>
  )
}

/** `j k x e a Escape [ ]`. What they act on is the selection, else the row under the cursor. */
function useListKeys(props: {
  readonly data: IssueListData
  readonly cursor: number
  readonly selection: RowSelection
  readonly change: IssueChange
  readonly canWrite: boolean
}) {
  const { data, cursor, selection, change, canWrite } = props
  const navigate = useNavigate()
  const { org, address, list } = data
  const row: IssueListRow | undefined = list.rows[cursor]
  const move = (step: number) => {
    const at = Math.max(0, Math.min(list.rows.length - 1, cursor + step))
    const ref = list.rows[at]?.shortId ?? ''
    document.querySelector<HTMLElement>(`[data-issue="${CSS.escape(ref)}"]`)?.focus()
  }
  const page = (to: string | null) => {
    if (to !== null) void navigate(paths.issues(org, listQuery(address, { cursor: to })))
  }
  const resolve = async () => {
    if (selection.isAll) {
      if (!change.pending && (await change.runAll(`?${listText(address)}`, 'resolve'))) selection.clear()
      return
    }
    const refs = selection.refs.size > 0 ? [...selection.refs] : row === undefined ? [] : [row.shortId]
    if (refs.length > 0 && !change.pending && (await change.run(refs, 'resolve'))) selection.clear()
  }
  const archive = () => {
    if (selection.refs.size === 0 && row !== undefined) selection.set(row.shortId, true)
    // After the bulk bar with its menu has been drawn.
    setTimeout(() => document.getElementById(BULK_ARCHIVE_ID)?.click())
  }
  useShortcuts([
    { keys: 'j', label: 'Next row', run: () => move(1) },
    { keys: 'k', label: 'Previous row', run: () => move(-1) },
    { keys: ']', label: 'Next page', run: () => page(list.nextCursor) },
    { keys: '[', label: 'Previous page', run: () => page(list.previousCursor) },
    ...(canWrite
      ? [
          {
            keys: 'x',
            label: 'Select the row',
            run: () => row !== undefined && selection.toggle(row.shortId),
          },
          { keys: 'e', label: 'Resolve', run: () => void resolve() },
          { keys: 'a', label: 'Archive', run: archive },
          { keys: 'Escape', label: 'Clear the selection', run: selection.clear },
        ]
      : []),
  ])
}
