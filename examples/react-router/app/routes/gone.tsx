import { data } from 'react-router'

/** Both ways to say that there is no such page. */
export function loader({ params }: { readonly params: { readonly how?: string } }) {
  if (params.how === 'response') throw new Response(null, { status: 404 })
  throw data(null, { status: 404 })
}

export default function Gone() {
  return <p>Not shown</p>
}
