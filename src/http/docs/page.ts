import { viewCode, viewExample } from './code-view.ts'
import { endpointsOf, objectAnchor, objectNames, type ApiDocument } from './document.ts'
import { viewEndpoint, type ApiAddress } from './endpoint-view.ts'
import { makeExample } from './example.ts'
import type { ToolSummary } from './agent-guide.ts'
import type { Chapter } from './chapter.ts'
import { writeGuide } from './guide.ts'
import { html, inline, prose, type Markup } from './html.ts'
import { viewFields } from './schema-view.ts'

/** The whole reference as one page that needs only its style sheet; the script is optional. */
export function renderPage(document: ApiDocument, address: string, tools: readonly ToolSummary[]): string {
  const path = document.servers[0]!.url
  const api: ApiAddress = { base: address + path, path }
  const chapters = writeGuide(document, api, tools)
  const { title, version, summary, description } = document.info
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <meta name="description" content="${summary}" />
        <link rel="icon" href="${icon}" />
        <link rel="stylesheet" href="docs.css" />
        <script src="docs.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          ${brand}
          <button type="button" popovertarget="contents">Contents</button>
        </header>
        <nav id="contents" popover aria-label="Contents">
          <div class="masthead">${brand}<span class="version">v${version}</span></div>
          <form class="search" role="search" hidden>
            <label for="search">Search <kbd>/</kbd></label>
            <input id="search" type="search" autocomplete="off" spellcheck="false" />
            <p role="status"></p>
          </form>
          ${viewContents(document, chapters)}
        </nav>
        <main id="content">
          <header class="entry intro">
            <div class="prose">
              <h1>${title}</h1>
              <p class="lead">${summary}</p>
              ${prose(description)}
            </div>
            <div class="sample">${viewCode(api.base, 'HTTP', 'Base address')}</div>
          </header>
          <h2 class="part">Guide</h2>
          ${chapters.map(viewChapter)} ${viewEndpoints(document, api)} ${viewObjects(document)}
        </main>
      </body>
    </html>`
  return page.text
}

const brand = html`<a class="brand" href="#content"
  ><svg viewBox="0 0 24 24" width="24" height="24" fill="none" aria-hidden="true">
    <rect x="4" y="3" width="16" height="3.4" rx="1.4" fill="currentColor" />
    <rect x="4" y="17.6" width="16" height="3.4" rx="1.4" fill="currentColor" />
    <g class="yarn" stroke-linecap="round">
      <path d="M7.5 8.2h9M7.5 11.2h9M7.5 14.2h9" stroke-width="2" />
      <path d="M16.5 14.2c3 0 3.4 3 5 5.4" stroke-width="1.6" />
    </g></svg
  ><span>Spool <small>API</small></span></a
>`

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#6b655b" d="M4 3h16v3.4H4zM4 17.6h16V21H4z"/><path stroke="#0f766e" stroke-width="2" d="M7.5 8.2h9M7.5 11.2h9M7.5 14.2h9"/></svg>',
)}`

function viewContents(document: ApiDocument, chapters: Chapter[]): Markup {
  const endpoints = endpointsOf(document)
  const guide = chapters.map(({ anchor, title }): [string, string] => [anchor, title])
  const objects = objectNames(document).map((name): [string, string] => [objectAnchor(name), name])
  const groups = tagsOf(document).map(({ name }) =>
    viewGroup(
      name,
      endpoints.filter(({ tags }) => tags.includes(name)).map(({ anchor, summary }) => [anchor, summary]),
    ),
  )
  return html`${viewGroup('Guide', guide)} ${groups} ${viewGroup('Objects', objects)}
    <p class="machine"><a href="openapi.json">openapi.json</a></p>`
}

/** Tags that have endpoints, in the order of the endpoints. Webhooks have their own guide instead. */
function tagsOf(document: ApiDocument): ApiDocument['tags'] {
  const used = new Set(endpointsOf(document).flatMap(({ tags }) => tags))
  return [...used].map((name) => document.tags.find((tag) => tag.name === name)!)
}

function viewGroup(title: string, links: [anchor: string, text: string][]): Markup {
  return html`<p class="group">${title}</p>
    <ul>
      ${links.map(([anchor, text]) => html`<li><a href="#${anchor}">${text}</a></li>`)}
    </ul>`
}

function viewChapter({ anchor, title, text, sample }: Chapter): Markup {
  return html`<section class="entry" id="${anchor}" aria-labelledby="${anchor}-title">
    <div class="prose">
      <h3 id="${anchor}-title"><a href="#${anchor}">${title}</a></h3>
      ${text}
    </div>
    <div class="sample">${sample}</div>
  </section>`
}

function viewEndpoints(document: ApiDocument, api: ApiAddress): Markup {
  const endpoints = endpointsOf(document)
  return html`${tagsOf(document).map(
    ({ name, description }) =>
      html`<h2 class="part">${name} <small>${inline(description)}</small></h2>
        ${endpoints
          .filter(({ tags }) => tags.includes(name))
          .map((endpoint) => viewEndpoint(document, endpoint, api))}`,
  )}`
}

function viewObjects(document: ApiDocument): Markup {
  const sections = objectNames(document).map((name) => {
    const schema = document.components.schemas[name]!
    const anchor = objectAnchor(name)
    return html`<section class="entry" id="${anchor}" aria-labelledby="${anchor}-title">
      <div class="prose">
        <h3 id="${anchor}-title"><a href="#${anchor}">${name}</a></h3>
        ${prose(schema.description ?? '')} ${viewFields(document, schema)}
      </div>
      <div class="sample">${viewExample(makeExample(document, schema), name)}</div>
    </section>`
  })
  return html`<h2 class="part">Objects <small>What the answers are made of.</small></h2>
    ${sections}`
}
