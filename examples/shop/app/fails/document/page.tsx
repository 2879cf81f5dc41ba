export default function DocumentPage() {
  const shelf: { readonly count: number } | undefined = shelfOf('matcha')
  // @ts-expect-error: the mistake that is looked for
  return <p>{shelf.count} left</p>
}

function shelfOf(name: string): { readonly count: number } | undefined {
  const shelves = new Map([['sencha', { count: 12 }]])
  return shelves.get(name)
}
