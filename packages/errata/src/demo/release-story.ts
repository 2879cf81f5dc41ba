/**
 * Commits and deploys of the sample shop's releases. The sources they changed:
 * scripts/demo-builds/sources.ts.
 */
import type { DemoMember } from './plan-failures.ts'

export interface DemoCommit {
  readonly id: string
  readonly message: string
  readonly author: DemoMember
  readonly hoursBefore: number
  readonly patch_set: readonly { readonly path: string; readonly type: 'A' | 'M' | 'D' }[]
}

export const REPOSITORY = 'shop/storefront'

const ROSA = { name: 'Rosa Kim', email: 'rosa@marlowfinch.example' }
const TOMAS = { name: 'Tomás Ortiz', email: 'tomas@marlowfinch.example' }
const LENA = { name: 'Lena Sato', email: 'lena@marlowfinch.example' }
const ANA = { name: 'Ana Moretti', email: 'ana@marlowfinch.example' }

type Told = readonly [
  id: string,
  author: DemoMember,
  hoursBefore: number,
  message: string,
  paths: readonly string[],
]

/** Newest first, by release, oldest release first. */
const TOLD: readonly (readonly Told[])[] = [
  [
    ['9d2b7c41e06f', LENA, 3, 'Say when the parcel should be there', ['src/checkout/delivery.ts']],
    ['41c08be2a7d5', ANA, 20, 'Redeem vouchers before the order is placed', ['src/checkout/voucher.ts']],
    ['7f02e9ab31c6', TOMAS, 45, 'Average stars on product pages', ['src/reviews/reviews.ts']],
  ],
  [
    ['e51a0c7d92bf', TOMAS, 2, 'Refuse every charge the provider failed', ['src/server/payments.ts']],
    ['b8834f6e10da', LENA, 26, 'Bump @shop/ui to 6.1', ['package.json', 'package-lock.json']],
  ],
  [
    [
      'd83f10a6c57e',
      TOMAS,
      2,
      'Show what was paid on the order page',
      ['src/app/orders/[id]/totals.ts', 'src/app/orders/[id]/page.ts'],
    ],
    [
      '2c6e9f04d8b3',
      ROSA,
      4,
      'Survive orders without a delivery date\n\nFixes the empty day.',
      ['src/checkout/delivery.ts'],
    ],
    ['a07d15c3e9f2', ANA, 9, 'Do not read a voucher field that is not there', ['src/checkout/voucher.ts']],
    ['6be4a0f7521d', LENA, 31, 'Cache collections for 60 s', ['src/server/orders.ts']],
  ],
  [
    [
      'c41f9e2b60a8',
      ROSA,
      3,
      'Show the paid total in the summary',
      ['src/checkout/totals.ts', 'src/checkout/checkout.ts'],
    ],
    [
      '3fa86d1c0b57',
      TOMAS,
      5,
      'Load the parcels of an order with its page',
      ['src/app/orders/[id]/page.ts', 'src/app/orders/[id]/parcels.ts'],
    ],
    ['51a0d7be43f9', TOMAS, 7, 'Format delivery dates by country', ['src/checkout/delivery.ts']],
    ['e9902cc81b74', ANA, 11, 'Rotate the action encryption key', ['deploy/keys.yaml']],
    ['b7710fa2c4e5', LENA, 29, 'Bump @shop/ui to 6.2', ['package.json', 'package-lock.json']],
  ],
]

const ID_CHARS = 40

export const RELEASE_COMMITS: readonly (readonly DemoCommit[])[] = TOLD.map((commits) =>
  commits.map(([id, author, hoursBefore, message, paths]) => ({
    ...{ author, hoursBefore, message, id: id.padEnd(ID_CHARS, id) },
    patch_set: paths.map((path) => ({ path, type: 'M' as const })),
  })),
)

/** Minutes after the release; before it where it was tried out. */
export const DEPLOYS = [
  { environment: 'staging', name: 'run', afterMinutes: -55, tookMinutes: 2 },
  { environment: 'production', name: 'eu-1 run', afterMinutes: 4, tookMinutes: 3 },
  { environment: 'production', name: 'eu-2 run', afterMinutes: 41, tookMinutes: 3 },
] as const

export const FIRST_RUN = 4_376

/** Resolved in the third release, once it was out; one of them came back with the fourth. */
export const RESOLVED_IN = {
  release: 2,
  afterHours: 5,
  queries: ['"Invalid time value"', `"reading 'value'"`],
} as const
