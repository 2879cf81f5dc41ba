import type { Choices } from '#parts/choices.ts'
import { FieldErrors } from '#parts/form-parts.tsx'
import { type Picked, PickList } from '#parts/pick-list.tsx'

/** Shown while the form's role is guest, which takes no script (`.guest-only`). */
export function GuestProjects(props: {
  readonly org: string
  readonly choices: Choices
  readonly picked?: Picked
  /** The guest who has them. */
  readonly member?: number
}) {
  const { member, picked, ...rest } = props
  return (
    <PickList
      {...rest}
      of="projects"
      name="projects"
      title="Projects"
      className="guest-only grid w-full gap-2"
      {...(picked !== undefined && { picked })}
      {...(member !== undefined && { heldBy: `member:${member}` })}
      hint={
        <>
          <p className="text-12 text-ink-3">
            A guest sees these projects and nothing else in the organisation.
          </p>
          <FieldErrors name="projects" />
        </>
      }
    />
  )
}
