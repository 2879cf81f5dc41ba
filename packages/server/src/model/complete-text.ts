/** Returns those that begin with what is typed, in any case; with `within` then those that have it elsewhere. Order is kept. */
export function completeText<T extends { readonly text: string }>(
  values: readonly T[],
  { prefix, within = false }: { readonly prefix: string; readonly within?: boolean | undefined },
): readonly T[] {
  const wanted = prefix.toLowerCase()
  const places = values.map(({ text }) => text.toLowerCase().indexOf(wanted))
  const begin = values.filter((_, at) => places[at] === 0)
  return within ? [...begin, ...values.filter((_, at) => (places[at] ?? -1) > 0)] : begin
}
