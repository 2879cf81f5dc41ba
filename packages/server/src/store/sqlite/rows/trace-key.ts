/** Returns the number by which a trace is remembered, its first half as SQLite holds 64 bits; `null` without a trace. */
export function traceIdKey(traceId: string | null): bigint | null {
  return traceId === null ? null : BigInt.asIntN(64, BigInt(`0x${traceId.slice(0, 16)}`))
}
