import type { JSX } from 'preact'
import { ask } from '../../page/api.ts'
import type { AnswerOf, RouteAt } from '../../page/contract.ts'
import { tell } from '../../page/notices.ts'
import { Act } from '../parts/confirm.tsx'
import { texts } from './texts.ts'

export type View = AnswerOf<RouteAt<'GET', '/notices/settings'>>

/** Sends a test through the same channel as real notices. */
export function Test({ way }: { way: 'push' | 'mail' }): JSX.Element {
  const test = async (): Promise<void> => {
    await ask('POST', '/notices/test', { way })
    tell(texts.testSent)
  }
  return (
    <Act onAct={test}>
      {texts.test}
      <span class="hidden"> {texts.ways[way]}</span>
    </Act>
  )
}
