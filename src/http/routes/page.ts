import { readFileSync, readdirSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { SpoolError } from '../../model/errors.ts'
import { threadViews } from '../../model/thread-views.ts'
import { MemoryFile } from '../content/file.ts'

/** The output of `npm run build`. */
const pageFolder = join(import.meta.dirname, '../../../web/dist')

/**
 * No inline script, nothing from another host, no framing. Inline styles are allowed because the frame that shows a
 * mail inherits this policy and adds a stricter one.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': policy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-DNS-Prefetch-Control': 'off',
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}
const compressed = new Set(['.html', '.js', '.css', '.svg', '.webmanifest'])

/** Every URL of the page serves the same document; routing happens in the page (web/src/page/router.ts). */
const addresses = [
  '/',
  ...[...threadViews, 'review'].flatMap((view) => [`/${view}`, `/${view}/:thread`]),
  '/threads/:thread',
  '/inboxes/:inbox',
  '/inboxes/:inbox/:thread',
  '/search',
  '/search/:thread',
  '/compose',
  '/compose/:draft',
  '/account',
  '/notices',
  '/settings',
  '/settings/:page',
  '/settings/:page/:item',
  '/consent',
  '/sign-in',
  '/setup',
  '/setup/:token',
  '/invitations',
  '/invitations/:token',
  '/reset',
  '/oauth/mailbox',
]

/** Files that make the page an app: it can be installed, opens offline and receives push notifications. */
const installed = ['service-worker.js', 'manifest.webmanifest', 'icon-192.png', 'icon-512.png']
const workerPolicy = "default-src 'none'; connect-src 'self'"

/** The web inbox: files by name, each in the encodings a browser may accept. */
export function registerPage(app: FastifyInstance, folder = pageFolder): void {
  const find = openFiles(folder)
  for (const address of addresses)
    app.get(address, async (request, reply) => {
      const document = find('index.html')
      reply.headers(pageHeaders)
      if (!document) return reply.code(503).type(types['.html']!).send(notBuilt)
      return document.send(request, reply)
    })
  for (const name of installed)
    app.get(`/${name}`, async (request, reply) => {
      const file = find(name)
      if (!file) throw new SpoolError('not_found', 'There is no such file; the page may not be built.')
      reply.headers({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': workerPolicy })
      return file.send(request, reply)
    })
  app.get('/assets/:name', async (request, reply) => {
    const file = find(`assets/${(request.params as { name: string }).name}`)
    if (!file)
      throw new SpoolError('not_found', 'There is no such file; the page may be outdated: reload it.')
    reply.headers({
      // The name changes with the content.
      'Cache-Control': 'public, max-age=31536000, immutable',
      // The frame that shows a PDF has an opaque origin and loads its script from here.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    return file.send(request, reply)
  })
}

const notBuilt = `<!doctype html>
<html lang="en">
<title>Spool</title>
<h1>The web inbox is not built</h1>
<p>Run <code>npm run build</code> where Spool is installed, then load this page again. The server and its
<a href="/docs">API</a> work without it.</p>
</html>
`

const noSuchPage = `<!doctype html>
<html lang="en">
<title>Spool</title>
<h1>There is no such page</h1>
<p><a href="/">Go to the inbox</a>, or see the <a href="/docs">API</a>.</p>
</html>
`

/** For people who mistype an address; programs get JSON. */
export function sendNoSuchPage(reply: FastifyReply): FastifyReply {
  return reply.code(404).headers(pageHeaders).type(types['.html']!).send(noSuchPage)
}

/** Finds a built file by name: it is looked up in memory and never becomes a path on disk. */
function openFiles(folder: string): (name: string) => MemoryFile | null {
  let files: ReadonlyMap<string, MemoryFile> = new Map()
  let readAt: number | null = null
  return (name) => {
    const builtAt = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs
    if (builtAt === undefined) return null
    // Again after a new build.
    if (builtAt !== readAt) files = readFolder(folder)
    readAt = builtAt
    return files.get(name) ?? null
  }
}

function readFolder(folder: string): ReadonlyMap<string, MemoryFile> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(paths.map((path) => [relative(folder, path).replaceAll('\\', '/'), readFile(path)]))
}

function readFile(path: string): MemoryFile {
  const extension = extname(path)
  const type = types[extension] ?? 'application/octet-stream'
  return new MemoryFile(type, readFileSync(path), compressed.has(extension))
}
