/** A release with the first of its projects by name, and what all of them say together: one version may be of a thousand. */

/** Projects of a release that a page names. */
const PROJECTS_SHOWN = 8

interface OfProject {
  readonly slug: string
  readonly name: string
  readonly newIssues: number
  readonly eventCount: number
  readonly firstEventMs: number | null
  readonly lastEventMs: number | null
}

export function withFewProjects<R extends { readonly projects: readonly OfProject[] }>({
  projects,
  ...release
}: R) {
  return {
    ...release,
    projects: projects.slice(0, PROJECTS_SHOWN).map(({ slug, name }) => ({ slug, name })),
    ofAll: {
      count: projects.length,
      newIssues: sum(projects, ({ newIssues }) => newIssues),
      eventCount: sum(projects, ({ eventCount }) => eventCount),
      firstEventMs: timesOf(projects, 'firstEventMs').reduce<number | null>(earlierOf, null),
      lastEventMs: timesOf(projects, 'lastEventMs').reduce<number | null>(later, null),
    },
  }
}

interface FewProjects {
  readonly projects: readonly { readonly slug: string }[]
  readonly ofAll: { readonly count: number }
}

/** Names the projects of a release in one line. */
export function projectsText({ projects, ofAll }: FewProjects): string {
  const named = projects.map(({ slug }) => slug).join(', ')
  const more = ofAll.count - projects.length
  return more === 0 ? named : `${named} and ${more} more`
}

function sum(projects: readonly OfProject[], of: (project: OfProject) => number): number {
  return projects.reduce((total, project) => total + of(project), 0)
}

function timesOf(projects: readonly OfProject[], name: 'firstEventMs' | 'lastEventMs'): readonly number[] {
  return projects.map((project) => project[name]).filter((ms) => ms !== null)
}

function earlierOf(one: number | null, other: number): number {
  return one === null ? other : Math.min(one, other)
}

function later(one: number | null, other: number): number {
  return one === null ? other : Math.max(one, other)
}
