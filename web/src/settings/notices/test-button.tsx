import type { JSX } from 'preact'
import { ask } from '../../page/api.ts'
import type { AnswerOf, RouteAt } from '../../page/contract.ts'
import { Act } from '../parts/confirm.tsx'
import { texts } from './texts.ts'

export type View = AnswerOf<RouteAt<'GET', '/notices/settings'>>

/** Sends a test through the same channel as real notices. */
export function Test({ way }: { way: 'push' | 'mail' }): JSX.Element {
  return (
    <Act of={texts.ways[way]} onAct={() => ask('POST', '/notices/test', { way })} done={texts.testSent}>
      {texts.test}
    </Act>
  )
}
