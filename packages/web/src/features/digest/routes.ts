import { pageRoute } from '#wire/route.ts'

const view = async () => (await import('./digest-view.tsx')).DigestPage
const file = 'features/digest/digest-view.tsx'

export const digestRoutes = [
  pageRoute({ id: 'digest', docs: 'digests', path: '/digest', access: 'signed-in', file, view }),
  pageRoute({ id: 'digest-number', docs: 'digests', path: '/digest/:number', access: 'signed-in', file, view }),
]
