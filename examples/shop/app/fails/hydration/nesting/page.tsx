import { Note } from '../parts'

export default function NestingPage() {
  return (
    <section>
      <h1>Today</h1>
      <Note />
      <a href="/">Back to the shop</a>
    </section>
  )
}
