/** Saved searches, and how people have the issue list. */
import { ok, type Refusal, type Result } from '#base/result.ts'
import { noPerson, noSearch, refuseSearch, searchNote } from '#issues/saved-searches.ts'
import { max } from '#limits/limits.ts'
import { LIST_PREFERENCES, SAVED_SEARCHES } from '#model/tables/searches.ts'
import type { TableRow } from '#model/tables/table.ts'
import type { Tx } from '#ports/control.ts'
import { type ListPreferences, NO_PREFERENCES, type SavedSearch, type SearchText } from '#ports/searches.ts'
import { type Asking, refusalOf } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { type By, command, preparedCommand } from './command.ts'
import { readInput, SCHEMAS } from './schemas.ts'

type Row = TableRow<typeof SAVED_SEARCHES>

/** Refusal of changes to shared searches; `null` if they are allowed. */
type Sharing = { readonly sharing: Refusal | null }

const MOST = Math.max(max('searchesSharedMax'), max('searchesPerPersonMax')) + 1

export const createSearch = preparedCommand({
  permission: 'search.write',
  input: checkedSearch,
  prepare: async (_parts, asking, search) => ok({ ...search, ...sharingOf(asking) }),
  change: async (tx, { sharing, ...search }: SearchText & Sharing, by) => {
    const { orgId, userId: ownerId = null } = by.scope
    const refused = refuseOwner(search, { ownerId, sharing })
    if (refused !== null) return refused
    const taken = refuseSearch(search, await besides(tx, { orgId, ownerId, id: 0, ...search }))
    if (taken !== null) return taken
    const made = { ownerId, ...searchText(search), createdMs: Math.floor(by.actor.atMs) }
    const [id = 0] = await tx.rows(SAVED_SEARCHES).insert([{ orgId, ...made }])
    await noteShared(tx, by, searchNote('search.created', search))
    return ok<SavedSearch>({ id, ...made })
  },
})

export const changeSearch = preparedCommand({
  permission: 'search.write',
  input: ({ id, ...search }: SearchText & { readonly id: number }) => {
    const checked = checkedSearch(search)
    return checked.ok ? ok({ ...checked.value, id }) : checked
  },
  prepare: async (_parts, asking, search) => ok({ ...search, ...sharingOf(asking) }),
  change: async (tx, { sharing, id, ...search }: SearchText & Sharing & { readonly id: number }, by) => {
    const known = await findSearch(tx, by, { id, sharing })
    if (!known.ok) return known
    const before = known.value
    const refused =
      (search.isShared ? sharing : null) ?? refuseSearch(search, await besides(tx, { ...before, ...search }))
    if (refused !== null) return refused
    const text = searchText(search)
    await tx.rows(SAVED_SEARCHES).update([{ id, ...text }])
    if (before.isShared && !text.isShared) await forgetDefaults(tx, before)
    await noteShared(tx, by, searchNote('search.changed', search, before))
    const { ownerId, createdMs } = before
    return ok<SavedSearch>({ id, ownerId, createdMs, ...text })
  },
})

export const deleteSearch = preparedCommand({
  permission: 'search.write',
  input: (id: number) => ok({ id }),
  prepare: async (_parts, asking, search) => ok({ ...search, ...sharingOf(asking) }),
  change: async (tx, asked: Sharing & { readonly id: number }, by) => {
    const known = await findSearch(tx, by, asked)
    if (!known.ok) return known
    await tx.rows(SAVED_SEARCHES).remove({ id: asked.id })
    await noteShared(tx, by, searchNote('search.deleted', known.value))
    return ok(null)
  },
})

/** Changes preferences; what is left out stays. */
export const setListPreferences = command({
  permission: 'search.write',
  input: (change: Partial<ListPreferences>) => ok(change),
  change: async (tx, change, { scope: { orgId, userId } }) => {
    if (userId === undefined) return noPerson()
    const rows = tx.rows(LIST_PREFERENCES)
    const preferences = { ...NO_PREFERENCES, ...(await rows.one({ orgId, userId })), ...change }
    const { defaultSearch } = preferences
    if (defaultSearch !== null && !(await opens(tx, { orgId, userId, id: defaultSearch }))) return noSearch()
    await rows.merge([{ ...preferences, orgId, userId }])
    return ok(null)
  },
})

function checkedSearch(search: SearchText): Result<SearchText> {
  const checked = readInput(SCHEMAS.search, { name: search.name, query: search.query })
  return checked.ok ? ok({ ...search, ...checked.value }) : checked
}

function sharingOf(asking: Asking): Sharing {
  return { sharing: refusalOf(asking, 'search.share') }
}

function searchText({ name, query, sort, isShared }: SearchText): SearchText {
  return { name, query, sort, isShared }
}

function refuseOwner(
  { isShared }: SearchText,
  { ownerId, sharing }: Pick<Row, 'ownerId'> & Sharing,
): Refusal | null {
  if (isShared) return sharing
  return ownerId === null ? noPerson() : null
}

/** Returns one's own search, or a shared one for people who may share. Somebody else's own is not found. */
async function findSearch(
  tx: Tx,
  { scope: { orgId, userId } }: By,
  { id, sharing }: Sharing & { readonly id: number },
): Promise<Result<Row>> {
  const search = await tx.rows(SAVED_SEARCHES).one({ id, orgId })
  if (search === null || !isSeenBy(search, userId)) return noSearch()
  return (search.isShared ? sharing : null) ?? ok(search)
}

function isSeenBy({ isShared, ownerId }: Row, userId: By['scope']['userId']): boolean {
  return isShared || (userId !== undefined && ownerId === userId)
}

async function opens(
  tx: Tx,
  { orgId, userId, id }: Pick<Row, 'orgId' | 'id'> & Pick<By['scope'], 'userId'>,
): Promise<boolean> {
  const search = await tx.rows(SAVED_SEARCHES).one({ id, orgId })
  return search !== null && isSeenBy(search, userId)
}

/** Returns the searches beside it: shared ones, or those of its owner. */
async function besides(
  tx: Tx,
  { orgId, ownerId, isShared, id }: Pick<Row, 'orgId' | 'ownerId' | 'isShared' | 'id'>,
): Promise<readonly Row[]> {
  const where = isShared ? { orgId, isShared } : { orgId, isShared, ownerId }
  return (await tx.rows(SAVED_SEARCHES).find(where, MOST)).filter((other) => other.id !== id)
}

/** Forgets a search as others' default once it is not shared any more. */
async function forgetDefaults(tx: Tx, { id, ownerId }: Row): Promise<void> {
  const rows = tx.rows(LIST_PREFERENCES)
  const opened = await rows.find({ defaultSearch: id }, max('membersPerOrgMax'))
  await rows.update(
    opened
      .filter(({ userId }) => userId !== ownerId)
      .map(({ orgId, userId }) => ({ orgId, userId, defaultSearch: null })),
  )
}

/** Writes the audit entry of a shared search; one's own are nobody's business. */
async function noteShared(tx: Tx, by: By, note: ReturnType<typeof searchNote>): Promise<void> {
  if (note !== null) await writeAudit(tx, by.scope.orgId, by.actor, note)
}
