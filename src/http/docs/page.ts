import { viewCode, viewExample } from './code-view.ts'
import { endpointsOf, objectAnchor, objectNames, type ApiDocument, type Endpoint } from './document.ts'
import { viewEndpoint, type ApiAddress } from './endpoint-view.ts'
import { makeExample } from './example.ts'
import type { ToolSummary } from './agent-guide.ts'
import { viewChapter, type Chapter } from './chapter.ts'
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
  const guide = chapters.map(({ anchor, title }): [string, string] => [anchor, title])
  const objects = objectNames(document).map((name): [string, string] => [objectAnchor(name), name])
  const groups = endpointsByTag(document).map(([name, endpoints]) =>
    viewGroup(
      name,
      endpoints.map(({ anchor, summary }) => [anchor, summary]),
    ),
  )
  return html`${viewGroup('Guide', guide)} ${groups} ${viewGroup('Objects', objects)}
    <p class="machine"><a href="openapi.json">openapi.json</a></p>`
}

/** In the order of the endpoints. The tag of webhooks has none: they have their own guide. */
function endpointsByTag(document: ApiDocument): [string, Endpoint[]][] {
  return [...Map.groupBy(endpointsOf(document), ({ tags }) => tags[0]!)]
}

function viewGroup(title: string, links: [anchor: string, text: string][]): Markup {
  return html`<p class="group">${title}</p>
    <ul>
      ${links.map(([anchor, text]) => html`<li><a href="#${anchor}">${text}</a></li>`)}
    </ul>`
}

function viewEndpoints(document: ApiDocument, api: ApiAddress): Markup {
  const parts = endpointsByTag(document).map(([name, endpoints]) => {
    const { description } = document.tags.find((tag) => tag.name === name)!
    return html`<h2 class="part">${name} <small>${inline(description)}</small></h2>
      ${endpoints.map((endpoint) => viewEndpoint(document, endpoint, api))}`
  })
  return html`${parts}`
}

function viewObjects(document: ApiDocument): Markup {
  const sections = objectNames(document).map((name) => {
    const schema = document.components.schemas[name]!
    return viewChapter({
      anchor: objectAnchor(name),
      title: name,
      text: html`${prose(schema.description ?? '')} ${viewFields(document, schema)}`,
      sample: viewExample(makeExample(document, schema), name),
    })
  })
  return html`<h2 class="part">Objects <small>What the answers are made of.</small></h2>
    ${sections}`
}
