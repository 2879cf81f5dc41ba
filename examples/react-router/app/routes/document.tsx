export async function loader() {
  const shelf: { readonly count: number } | undefined = shelfOf('matcha')
  // @ts-expect-error: the mistake that is looked for
  return { count: shelf.count }
}

function shelfOf(name: string): { readonly count: number } | undefined {
  const shelves = new Map([['sencha', { count: 12 }]])
  return shelves.get(name)
}

export default function Document() {
  return <p>Not shown</p>
}
