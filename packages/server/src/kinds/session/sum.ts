/** Sums of sessions in columns of numbers. Names occur once a batch and are named by their place. */
import { assert } from '#base/errors.ts'
import { keyId, projectId } from '#base/ids.ts'
import type { PackedRow } from '#model/batch.ts'
import type { SessionDelta } from '#ports/health.ts'
import type { ArrivedPart, KindSum, PackedSums } from '../kind.ts'
import type { SessionRow } from './fields.ts'
import type { SessionOwn } from './read.ts'

/** Columns with one entry a row. */
type NumberColumns = ReturnType<typeof emptySessionColumns>

export interface SessionSums extends NumberColumns {
  readonly names: readonly string[]
}

const FLAGS = { hasSession: 1, hasPerson: 2 } as const

export const sessionSum: KindSum<SessionRow, SessionOwn, SessionSums> = {
  pack(rows) {
    const columns = emptySessionColumns(rows.length)
    const names = new Map<string, number>()
    const placeOf = (name: string) => {
      const place = names.get(name) ?? names.size
      names.set(name, place)
      return place
    }
    rows.forEach((packed, index) => {
      const { row } = packed
      writeNumbers(columns, index, packed)
      columns.release[index] = placeOf(row.release)
      columns.environment[index] = placeOf(row.environment ?? '')
    })
    return { head: [...names.keys()], columns: { ...columns } }
  },
  unpack: ({ head, columns }: PackedSums) => ({
    ...(columns as NumberColumns), // as packed above
    names: head as readonly string[], // as packed above
  }),
}

function writeNumbers(
  columns: NumberColumns,
  index: number,
  { row, own }: PackedRow<SessionRow, SessionOwn>,
): void {
  columns.startedMs[index] = row.startedMs
  columns.sessions[index] = row.sessions
  columns.errored[index] = row.errored
  columns.unhandled[index] = row.unhandled
  columns.abnormal[index] = row.abnormal
  columns.crashed[index] = row.crashed
  columns.session[index] = own.session ?? 0n
  columns.person[index] = own.person ?? 0n
  columns.flags[index] =
    (own.session === null ? 0 : FLAGS.hasSession) | (own.person === null ? 0 : FLAGS.hasPerson)
}

export function deltaAt({ columns, sums }: ArrivedPart<SessionSums>, place: number): SessionDelta {
  const flags = sums.flags[place] ?? 0
  const [release, environment] = [
    sums.names[sums.release[place] ?? 0],
    sums.names[sums.environment[place] ?? 0],
  ]
  assert(release !== undefined && environment !== undefined, 'a row names texts of its batch')
  return {
    ...{ release, environment },
    projectId: projectId(columns.projectId[place] ?? 0),
    keyId: keyId(columns.keyId[place] ?? 0),
    receivedMs: columns.receivedMs[place] ?? 0,
    startedMs: sums.startedMs[place] ?? 0,
    session: (flags & FLAGS.hasSession) === 0 ? null : (sums.session[place] ?? null),
    person: (flags & FLAGS.hasPerson) === 0 ? null : (sums.person[place] ?? null),
    counts: {
      sessions: sums.sessions[place] ?? 0,
      errored: sums.errored[place] ?? 0,
      unhandled: sums.unhandled[place] ?? 0,
      abnormal: sums.abnormal[place] ?? 0,
      crashed: sums.crashed[place] ?? 0,
    },
  }
}

function emptySessionColumns(count: number) {
  return {
    startedMs: new Float64Array(count),
    /** Places of names; an environment that is not named is empty. */
    release: new Uint32Array(count),
    environment: new Uint32Array(count),
    sessions: new Uint32Array(count),
    errored: new Uint32Array(count),
    unhandled: new Uint32Array(count),
    abnormal: new Uint32Array(count),
    crashed: new Uint32Array(count),
    /** Hashes, meaningless without their flag. */
    session: new BigUint64Array(count),
    person: new BigUint64Array(count),
    flags: new Uint32Array(count),
  }
}
