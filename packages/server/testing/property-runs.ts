/** How many cases the property tests draw that find rare things: more in `npm run test:long` than on every change. */
export const PROPERTY_RUNS = process.env.ERRATA_TEST_LONG === '1' ? 3_000 : 500
