import { signal } from '@preact/signals'
import { ask, type Teammate } from '../api.ts'

/** Who can be given a thread, and mentioned. */
export const team = signal<Teammate[]>([])
let asked = false

export function loadTeam(): void {
  if (asked) return
  asked = true
  ask<{ data: Teammate[] }>('GET', '/people').then(
    ({ data }) => {
      team.value = data
    },
    () => {
      asked = false
    },
  )
}
