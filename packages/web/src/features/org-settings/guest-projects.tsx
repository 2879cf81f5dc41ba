import { FieldErrors } from '#parts/form-parts.tsx'
import { Checkbox } from '#ui/checkbox.tsx'

/** Shown while the form's role is guest, which takes no script (`.guest-only`). */
export function GuestProjects(props: {
  readonly projects: readonly { readonly id: number; readonly name: string }[]
  readonly chosen?: readonly number[]
}) {
  const { projects, chosen = [] } = props
  return (
    <fieldset className="guest-only grid w-full gap-2">
      <legend className="mb-1 text-13">Projects</legend>
      {projects.map(({ id, name }) => (
        <Checkbox
          key={id}
          name="projects[]"
          value={id}
          label={name}
          showLabel
          defaultChecked={chosen.includes(id)}
        />
      ))}
      <p className="text-12 text-ink-3">A guest sees these projects and nothing else in the organisation.</p>
      <FieldErrors name="projects" />
    </fieldset>
  )
}
