import { effect } from '@preact/signals'
import { render } from 'preact'
import './style/tokens.css'
import './style/page.css'
import './style/shared.css'
import './style/controls.css'
import './style/overlays.css'
import './style/gate.css'
import './style/list.css'
import './style/search.css'
import './style/thread.css'
import './style/notes.css'
import './style/draft.css'
import './style/narrow.css'
import './style/print.css'
import { App } from './app.tsx'
import { dropOldCopies } from './draft/local-copy.ts'
import { saveAll } from './draft/editors.ts'
import { refreshCounts } from './threads/counts.ts'
import { listenToKeys } from './page/keys.ts'
import { connected, startLive, stopLive } from './session/live.ts'
import { followNews } from './news.ts'
import { resumeSession, session } from './session/session.ts'
import { loadSavedViews } from './search/saved-views.ts'
import { sessionEnded } from './page/ended.ts'
import { followPresence } from './threads/presence.ts'
import './page/theme.ts'

listenToKeys()
followNews()
followPresence()
dropOldCopies()

effect(() => {
  if (session.value && !sessionEnded.value) {
    startLive()
    refreshCounts(0)
    void loadSavedViews()
    saveAll()
  } else stopLive()
})

let pushStarted = false
effect(() => {
  if (!session.value || pushStarted) return
  pushStarted = true
  // Delayed, so that it does not compete with the first view for the network.
  setTimeout(
    () => void import('./notices/push.ts').then(({ startPush }) => startPush()).catch(() => undefined),
    1000,
  )
})

// Saves the last changes while requests still work; they are also kept on this device.
addEventListener('pagehide', saveAll)
addEventListener('online', saveAll)

async function begin(): Promise<void> {
  try {
    await resumeSession()
    connected.value = true
  } catch {
    connected.value = false
    setTimeout(() => void begin(), 3000)
  }
}

void begin()
render(<App />, document.getElementById('page')!)
