import { ask, get } from '../page/api.ts'
import { go } from '../page/router.ts'

export type PushState = 'unsupported' | 'refused' | 'off' | 'on'

export async function pushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return 'unsupported'
  if (Notification.permission === 'denied') return 'refused'
  return (await currentSubscription()) ? 'on' : 'off'
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Called after the page has loaded. A browser that receives pushes is registered for whoever is signed in now. */
export async function startPush(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ go?: unknown }>) => {
    if (typeof data.go === 'string' && data.go.startsWith('/')) go(data.go)
  })
  await navigator.serviceWorker.register('/service-worker.js')
  const subscription = await currentSubscription()
  if (subscription) await register(await withKey(subscription))
}

/** Spool has another key once its secret was changed, and the browser's push service accepts only the one it was given. */
async function withKey(subscription: PushSubscription): Promise<PushSubscription> {
  const { pushKey } = await get('/notices/settings')
  const known = subscription.options.applicationServerKey
  if (known === null || toBase64Url(known) === pushKey) return subscription
  await subscription.unsubscribe()
  return subscribe(pushKey)
}

function toBase64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

async function subscribe(pushKey: string): Promise<PushSubscription> {
  const registration = await navigator.serviceWorker.ready
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey })
}

/** Asks for permission, which needs a click. False if it was refused. */
export async function turnOn(pushKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const subscription = await currentSubscription()
  await register(subscription ? await withKey(subscription) : await subscribe(pushKey))
  return true
}

async function register(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  const [p256dh, auth] = [keys?.['p256dh'], keys?.['auth']]
  if (endpoint && p256dh && auth) await ask('POST', '/notices/browsers', { endpoint, keys: { p256dh, auth } })
}

export async function turnOff(): Promise<void> {
  await (await currentSubscription())?.unsubscribe()
}
