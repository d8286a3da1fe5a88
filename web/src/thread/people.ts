import { signal } from '@preact/signals'
import { ask, sentenceOf, type Teammate } from '../api.ts'

/** Who can be given a thread, and mentioned; null before the server has said so. */
export const team = signal<Teammate[] | null>(null)
/** Why not. */
export const teamProblem = signal<string | null>(null)
let asked = false

export function loadTeam(): void {
  if (asked) return
  asked = true
  teamProblem.value = null
  ask<{ data: Teammate[] }>('GET', '/people').then(
    ({ data }) => {
      team.value = data
    },
    (error: unknown) => {
      asked = false
      teamProblem.value = sentenceOf(error)
    },
  )
}
