/** Routes that SDKs stated, each with the day of receipt on which it was stated last. */
import { dayOf, type ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { SegmentSeen } from '#ports/requests.ts'
import type { Connection } from '../connection.ts'
import type { Kept, Memory } from '../memory.ts'

/** A server function by the id of its address, and the route that its name makes. */
export interface NamedServerFunction {
  readonly project: ProjectId
  readonly id: string
  readonly route: string
}

interface StatedRoute extends Pick<NamedServerFunction, 'project' | 'route'> {
  readonly sort: string
  readonly day: number
  readonly isNew: boolean
}

const ROUTES_MAX = max('knownRoutesPerProjectMax')

/** Days by sort and route, of a project: a route costs a statement a day. */
type KnownRoutes = Kept<ProjectId, Map<string, number>>

export function rememberRoutes(memory: Memory): KnownRoutes {
  return memory.keep({ most: max('projectsRememberedMax') })
}

export class KnownRouteStore {
  readonly #db: Connection
  readonly #days: KnownRoutes
  #named: NamedServerFunction[] = []

  constructor(db: Connection, days: KnownRoutes) {
    this.#db = db
    this.#days = days
  }

  /** Functions that got a name since it was asked last. */
  takeNamed(): readonly NamedServerFunction[] {
    const named = this.#named
    this.#named = []
    return named
  }

  segmentsCame(segments: readonly SegmentSeen[]): void {
    const stated: StatedRoute[] = []
    const again: StatedRoute[] = []
    for (const segment of segments) {
      const route = this.#stated(segment)
      if (route !== null) (route.isNew ? stated : again).push(route)
    }
    const params = ({ project, sort, route, day }: StatedRoute) => ({ project, stated: sort, route, day })
    // The last of several days of one route holds, as the routes come in the order of their segments.
    this.#db.runEach(
      'INSERT INTO known_routes (project_id, sort, route, day) VALUES (:project, :stated, :route, :day)',
      stated.map(params),
    )
    this.#db.runEach(
      'UPDATE known_routes SET day = :day WHERE project_id = :project AND sort = :stated AND route = :route',
      again.map(params),
    )
    for (const { project, sort, route } of stated) {
      const [id = '', called] = route.split(' ')
      if (sort === 'functions' && called !== undefined) this.#named.push({ project, id, route: called })
    }
  }

  /** Returns the route to write; `null`: nothing changes. */
  #stated({
    projectId: project,
    stated: sort,
    statedAs,
    receivedMs,
    ...segment
  }: SegmentSeen): StatedRoute | null {
    if (sort === undefined) return null
    const route = statedAs ?? segment.route
    const days = this.#daysOf(project)
    const key = `${sort} ${route}`
    const [before, day] = [days.get(key), dayOf(receivedMs)]
    if (before === undefined && days.size >= ROUTES_MAX) return null
    if (before !== undefined && before >= day) return null
    days.set(key, day)
    return { project, sort, route, day, isNew: before === undefined }
  }

  /** The route that the name of a server function makes; `null` where nobody has told it. */
  functionOf(project: ProjectId, id: string): string | null {
    const start = `functions ${id} `
    for (const key of this.#daysOf(project).keys()) if (key.startsWith(start)) return key.slice(start.length)
    return null
  }

  #daysOf(project: ProjectId): Map<string, number> {
    const known = this.#days.get(project)
    if (known !== undefined) return known
    // The unique key.
    const sql = `SELECT sort || ' ' || route AS name, day FROM known_routes WHERE project_id = ?`
    const rows = this.#db.all<{ name: string; day: number }>(sql, [project])
    const days = new Map(rows.map(({ name, day }) => [name, day]))
    this.#days.set(project, days)
    return days
  }
}
