/**
 * Has V8 optimise smaller functions. What it optimises takes in the functions that it calls, up to 920 bytes of their
 * bytecode, and each thread does so anew: compiling was a sixth of what an event of 5 KB cost, behind the first 10,000 of
 * them as well. With a quarter of that an event costs 4 to 11 % less of all threads' time at 5 KB, 1 to 5 % at 18 KB; once
 * nothing is left to compile, it is as fast as before (2 vCPU, Node 24, 2026-11:
 * benchmarks/results/2026-11-29-event-cost.md).
 *
 * Flags that V8 asks anew at each use may be set while it runs. `--no-regexp-tier-up` may not: a pattern that looked once
 * before has bytecode alone, which is then run as machine code, and the process ends with SIGSEGV.
 */
import { setFlagsFromString } from 'node:v8'

/** Bytes of bytecode: of one function that is taken in, and of all that are taken into one. */
const TAKEN_IN = { one: 120, all: 230 } as const

/**
 * Sets the bound for the whole process, once and before its other threads start; not at the command line: a V8 without
 * the flag would refuse to start.
 */
export function compileSmall(): void {
  setFlagsFromString(`--max-inlined-bytecode-size=${TAKEN_IN.one}`)
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${TAKEN_IN.all}`)
}
