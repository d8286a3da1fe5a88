import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Command } from './action-table.ts'
import { onCommand } from './keys.ts'

/** Handles a shortcut while this component is mounted. */
export function useCommand(command: Command, run: (() => void) | null): void {
  const latest = useRef(run)
  latest.current = run
  const on = run !== null
  useLayoutEffect(() => (on ? onCommand(command, () => latest.current?.()) : undefined), [command, on])
}
