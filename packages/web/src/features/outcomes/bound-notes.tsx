import { numberText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import type { loadOutcomes } from './outcomes.server.ts'

type OutcomesData = Awaited<ReturnType<typeof loadOutcomes>>
type Bound = OutcomesData['view']['bounds']['shown'][number]

/** Tags with more keys or values than are kept apart: nothing is lost, but the rest is counted together. */
export function BoundNotes({ data }: { readonly data: OutcomesData }) {
  const { shown, more } = data.view.bounds
  if (shown.length === 0) return null
  return (
    <section aria-label="Counted as other" className="pb-10">
      <h2 className="px-6 pb-2 text-13 font-strong max-phone:px-4">
        Counted as “other”{' '}
        <span className="ms-1 text-12 font-normal text-ink-3">
          since the project began. Each event keeps its own value and can be found by it
        </span>
      </h2>
      <Table caption="Tags with more values than are counted separately" edge stacks>
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col">Tag</th>
            <th scope="col">Counted separately</th>
            <th scope="col" className={tableNum}>
              Other
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((bound) => (
            <BoundRow key={`${bound.project.id} ${bound.key ?? ''}`} bound={bound} />
          ))}
        </tbody>
      </Table>
      {more === 0 ? null : (
        <p className="px-6 pt-2 text-12 text-ink-3 max-phone:px-4">
          {numberText(more)} more with fewer
          {data.address.project === null ? '; choose a project to see its own' : ''}
        </p>
      )}
    </section>
  )
}

function BoundRow({ bound: { project, key, limit, otherCount } }: { readonly bound: Bound }) {
  const [what, unit] =
    key === null ? ['tag keys, besides built-in ones', 'tags'] : ['newest values', 'events']
  return (
    <tr>
      <td className="foreign">{project.name}</td>
      <td>{key === null ? 'other keys' : <code className="foreign">{key}</code>}</td>
      <td className="num">
        {numberText(limit)} {what}
      </td>
      <td className={tableNum} data-label="Other">
        {numberText(otherCount)} {unit}
      </td>
    </tr>
  )
}
