/** A call of a tool, as the audit log keeps it. */
export interface AgentCall {
  readonly tool: string
  /** Subject of the call, shortened. */
  readonly about: string
  /** Length of the answer. */
  readonly chars: number
  readonly tookMs: number
  /** Why it was refused; `null` where it was answered. */
  readonly refused: string | null
}
