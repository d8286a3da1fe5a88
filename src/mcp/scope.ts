import type { Caller } from '../model/access.ts'
import type { Tool } from './tool.ts'

export function lacksScope({ token }: Caller, { scope }: Tool): boolean {
  return scope !== null && !token.scopes.includes(scope)
}

/** A JSON-RPC error for calling a tool that was not listed. */
export function scopeProblem({ name, scope }: Tool) {
  return {
    code: -32_000,
    message: `Insufficient scope: ${name} needs ${scope}, which your access does not include. Ask the person who connected you to allow it; do not retry.`,
    data: { code: 'insufficient_scope', scope },
  }
}
