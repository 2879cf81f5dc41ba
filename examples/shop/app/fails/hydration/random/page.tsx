import { Draw } from '../parts'

export default function RandomPage() {
  return (
    <section>
      <h1>Today</h1>
      <Draw />
      <a href="/">Back to the shop</a>
    </section>
  )
}
