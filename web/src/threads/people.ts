import { signal } from '@preact/signals'
import type { Colleague } from '../../../src/model/work.ts'
import { get, sentenceOf } from '../page/api.ts'

/** People who can be assigned and mentioned; null until loaded. */
export const team = signal<Colleague[] | null>(null)
/** Why loading failed. */
export const teamProblem = signal<string | null>(null)
let asked = false

export function loadTeam(): void {
  if (asked) return
  asked = true
  teamProblem.value = null
  get('/people').then(
    ({ data }) => {
      team.value = data
    },
    (error: unknown) => {
      asked = false
      teamProblem.value = sentenceOf(error)
    },
  )
}
