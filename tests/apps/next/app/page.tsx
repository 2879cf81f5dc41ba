import { Till } from './till'

export default function Page() {
  return (
    <main>
      <h1>Shop</h1>
      <Till />
    </main>
  )
}
