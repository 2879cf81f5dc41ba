import { Form } from 'react-router'

export async function action() {
  throw new Error('the card was declined by a bank that does not answer')
}

export default function Action() {
  return (
    <Form method="post">
      <button type="submit" id="order">
        Order
      </button>
    </Form>
  )
}
