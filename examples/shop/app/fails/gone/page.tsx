import { notFound } from 'next/navigation'

export default function GonePage() {
  notFound()
}
