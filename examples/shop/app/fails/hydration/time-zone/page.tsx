import { OpenUntil } from '../parts'

export default function TimeZonePage() {
  return (
    <section>
      <h1>Today</h1>
      <OpenUntil />
      <a href="/">Back to the shop</a>
    </section>
  )
}
