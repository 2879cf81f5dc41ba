import { Greeting } from '../parts'

export default function TextPage() {
  return (
    <section>
      <h1>Today</h1>
      <Greeting />
      <a href="/">Back to the shop</a>
    </section>
  )
}
