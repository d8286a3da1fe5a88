/**
 * Shows pushes and keeps the empty page, so that Spool opens offline and can say so. It keeps no answer of the server:
 * nothing of anybody's mail stays on the device.
 */
const shell = 'spool-shell'

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

/** The document, and what it names: the rest is kept when the page first asks for it. */
async function keepShell() {
  const cache = await caches.open(shell)
  const response = await fetch('/', { cache: 'no-cache' })
  if (!response.ok) return
  const html = await response.clone().text()
  const names = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, name]) => name)
  await cache.put('/', response)
  await cache.addAll(names)
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(fromCache(request))
  else if (request.mode === 'navigate' && isPage(pathname)) event.respondWith(openPage(request))
})

/** Everything else at this origin is a file, a source or a document. */
function isPage(pathname) {
  return !/^\/(app|api|docs|mcp|openapi)/.test(pathname)
}

async function openPage(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match('/')
    if (!kept) throw error
    return kept
  }
}

/** A file's name changes with its content. */
async function fromCache(request) {
  const cache = await caches.open(shell)
  const kept = await cache.match(request)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) {
    await cache.put(request, response.clone())
    // A new version of the page has new files; the oldest go.
    const keys = await cache.keys()
    for (const old of keys.filter(({ url }) => url.includes('/assets/')).slice(0, -60))
      await cache.delete(old)
  }
  return response
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json()))
})

/** Who is looking at Spool has seen it there. */
async function show({ title, body, url, tag }) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (windows.some((each) => each.focused && each.visibilityState === 'visible')) return
  await self.registration.showNotification(title, { body, tag, data: { url }, icon: '/icon-192.png' })
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.url))
})

/** In a window that is open, if there is one: it goes there itself and keeps what was typed. */
async function open(url) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const first = windows.find((each) => isPage(new URL(each.url).pathname))
  if (!first) return self.clients.openWindow(url)
  first.postMessage({ go: url })
  return first.focus()
}
