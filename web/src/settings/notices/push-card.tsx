import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { pushState, turnOff, turnOn, type PushState } from '../../notices/push.ts'
import { ApiError, ask, get } from '../../page/api.ts'
import type { AnswerOf, RouteAt } from '../../page/contract.ts'
import { showToast } from '../../page/toasts.ts'
import { timeAgo } from '../../page/times.ts'
import { Act } from '../parts/confirm.tsx'
import { deviceName } from '../parts/device.ts'
import { Card, Nothing } from '../parts/page.tsx'
import { texts } from './texts.ts'

export type View = AnswerOf<RouteAt<'GET', '/notices/settings'>>

/** Push notices to this browser, and a list of all browsers that get them. */
export function PushCard({ view, onView }: { view: View; onView: (view: View) => void }) {
  const state = useSignal<PushState | null>(null)
  const look = async (): Promise<void> => {
    state.value = await pushState()
  }
  useEffect(() => void look(), [])
  const here = view.browsers.find(({ current }) => current)
  const isOn = state.value === 'on' && here !== undefined
  const begin = async (): Promise<void> => {
    try {
      if (await turnOn(view.pushKey)) onView(await get('/notices/settings'))
    } catch (error) {
      if (error instanceof ApiError) throw error
      showToast(texts.failed, 'problem')
    }
    await look()
  }
  const remove = async (id: string): Promise<void> => {
    if (id === here?.id) await turnOff()
    onView(await ask('DELETE', `/notices/browsers/${id}`))
    await look()
  }
  return (
    <Card title={texts.push} hint={texts.pushHint}>
      {state.value === 'refused' && (
        <p class="wrong" role="status">
          {texts.refused}
        </p>
      )}
      {state.value === 'unsupported' && <p role="status">{texts.unsupported}</p>}
      {isOn ? (
        <Act onAct={() => remove(here.id)}>{texts.off}</Act>
      ) : (
        (state.value === 'off' || state.value === 'on') && <Act onAct={begin}>{texts.on}</Act>
      )}
      {view.browsers.length > 0 && <Test way="push" />}
      <h3>{texts.browsers}</h3>
      {view.browsers.length === 0 && <Nothing>{texts.noBrowsers}</Nothing>}
      <ul class="lines">
        {view.browsers.map(({ id, device, lastUsedAt, current, problem }) => (
          <li key={id}>
            <span>
              {deviceName(device) ?? texts.browser}
              <small>
                {lastUsedAt ? texts.lastUsed(timeAgo(lastUsedAt)) : texts.neverUsed}
                {current && ` · ${texts.thisOne}`}
                {problem && ` · ${problem}`}
              </small>
            </span>
            <Act of={deviceName(device) ?? texts.browser} onAct={() => remove(id)}>
              {texts.remove}
            </Act>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Sends a test through the same channel as real notices. */
export function Test({ way }: { way: 'push' | 'mail' }) {
  return (
    <Act of={texts.ways[way]} onAct={() => ask('POST', '/notices/test', { way })} done={texts.testSent}>
      {texts.test}
    </Act>
  )
}
