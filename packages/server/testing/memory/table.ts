/** Rows in maps, and transactions over them. */

/** How to take back what the transaction at hand has changed, newest last; `null` outside of one. */
export class History {
  #undo: (() => void)[] | null = null

  note(undo: () => void): void {
    if (this.#undo === null) throw new Error('a table is changed outside of a transaction')
    this.#undo.push(undo)
  }

  /** All or nothing: what throws, or is refused, leaves every table as it was. */
  transaction<T>(work: () => T): T {
    if (this.#undo !== null) throw new Error('transactions are not nested')
    const undo: (() => void)[] = []
    this.#undo = undo
    let isKept = false
    try {
      const value = work()
      isKept = !isRefusal(value)
      return value
    } finally {
      this.#undo = null
      if (!isKept) for (const step of undo.reverse()) step()
    }
  }
}

function isRefusal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'ok' in value && value.ok === false
}

/** A row is replaced, never changed in place: so undoing is putting the row back that was there. */
export class Table<Key extends number | string, Row extends object> {
  readonly #history: History
  readonly #rows = new Map<Key, Row>()
  #lastId = 0

  constructor(history: History) {
    this.#history = history
  }

  /** The greatest number that was given; ids are never given twice. */
  get lastId(): number {
    return this.#lastId
  }

  nextId(): number {
    const before = this.#lastId
    this.#history.note(() => {
      this.#lastId = before
    })
    this.#lastId++
    return this.#lastId
  }

  get(key: Key): Row | undefined {
    return this.#rows.get(key)
  }

  has(key: Key): boolean {
    return this.#rows.has(key)
  }

  /** In no order that a reader may rely on. */
  all(): Row[] {
    return [...this.#rows.values()]
  }

  entries(): [Key, Row][] {
    return [...this.#rows]
  }

  where(wanted: (row: Row) => boolean): Row[] {
    return this.all().filter(wanted)
  }

  find(wanted: (row: Row) => boolean): Row | undefined {
    for (const row of this.#rows.values()) if (wanted(row)) return row
    return undefined
  }

  put(key: Key, row: Row): void {
    this.#remember(key)
    this.#rows.set(key, row)
  }

  /** Changes a row that must be there. */
  change(key: Key, change: Partial<Row>): Row {
    const before = this.#rows.get(key)
    if (before === undefined) throw new Error(`no row ${key} to change`)
    const row = { ...before, ...change }
    this.put(key, row)
    return row
  }

  delete(key: Key): boolean {
    if (!this.#rows.has(key)) return false
    this.#remember(key)
    return this.#rows.delete(key)
  }

  /** Answers what is gone. */
  deleteWhere(unwanted: (row: Row) => boolean): Row[] {
    const gone: Row[] = []
    for (const [key, row] of [...this.#rows]) {
      if (!unwanted(row)) continue
      this.delete(key)
      gone.push(row)
    }
    return gone
  }

  #remember(key: Key): void {
    const before = this.#rows.get(key)
    this.#history.note(() => {
      if (before === undefined) this.#rows.delete(key)
      else this.#rows.set(key, before)
    })
  }
}
