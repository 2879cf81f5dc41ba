/** Damage that a verification of the stores, or an ordinary read, finds, and what mends it. */
import { type FileName, fileStem } from './file-name.ts'

/** Stable: /health answers them, and scripts compare them. docs/operating/README.md lists them. */
export const DAMAGE_CODES = [
  'control_damaged',
  'columns_missing',
  'columns_unreadable',
  'payloads_damaged',
  'payloads_missing',
  'day_missing',
] as const
export type DamageCode = (typeof DAMAGE_CODES)[number]

export interface Damage {
  readonly code: DamageCode
  /** `null`: the control store, which is one file. */
  readonly file: FileName | null
  /** Findings in words; empty if the code says it all. */
  readonly detail: string
}

export interface KnownDamage extends Damage {
  readonly sinceMs: number
}

/** Names a damage: of one kind there is one a file. */
export function damageKey({ code, file }: Pick<Damage, 'code' | 'file'>): string {
  return file === null ? code : `${code} ${fileStem(file)}`
}

/** Words for the operator: the damage, its consequence, and the command that mends it. */
export interface DamageWords {
  readonly what: string
  readonly effect: string
  readonly mend: string
}

export function damageWords({ code, file, detail }: Damage): DamageWords {
  const stem = file === null ? 'control.sqlite' : fileStem(file)
  const why = detail === '' ? '' : `: ${detail}`
  const rebuild = `stop, run "errata rebuild --file ${stem}", start`
  const words: Readonly<Record<DamageCode, DamageWords>> = {
    control_damaged: {
      what: `control.sqlite is damaged${why}`,
      effect: 'Errata keeps running until something needs the damaged pages.',
      mend: 'Stop, run "errata check"; "errata restore" brings a backup back into a new directory.',
    },
    columns_missing: {
      what: `columns of ${stem} are missing or damaged${why}`,
      effect: 'Lists and search leave out that day’s events. Nothing is lost: the payloads have everything.',
      mend: `To rebuild them: ${rebuild}.`,
    },
    columns_unreadable: {
      what: `columns of ${stem} cannot be read${why}`,
      effect: 'Lists and search fail for that day.',
      mend: `Check the disk and the file’s permissions. If that does not help: ${rebuild}.`,
    },
    payloads_damaged: {
      what: `payloads of ${stem} are damaged${why}`,
      effect: 'Events in the damaged part show without details; counts and all other events stay.',
      mend: `Check the disk. "errata restore" into a new directory brings back payloads/${stem}.seg.`,
    },
    payloads_missing: {
      what: `payloads of ${stem} are missing${why}`,
      effect: 'That day’s events show without details.',
      mend: `Put payloads/${stem}.seg back; "errata restore" into a new directory brings it back from a backup.`,
    },
    day_missing: {
      what: `both files of ${stem} are gone${why}`,
      effect: 'Its events cannot be shown; issues and counts stay.',
      mend: `Put payloads/${stem}.seg back from a backup, then ${rebuild}.`,
    },
  }
  return words[code]
}
